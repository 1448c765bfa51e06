import { Command } from 'commander';
import { mockModelCommand } from '../models/mock/command.ts';
import { cleanCommand } from './clean.ts';
import { deadLettersCommand } from './dead-letters.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { documentsCommand } from './documents.ts';
import { extractCommand } from './extract.ts';
import { labelsCommand } from './labels.ts';
import { moderateCommand } from './moderate.ts';
import { queuesCommand } from './queues.ts';
import { readCommand } from './read.ts';
import { replayCommand } from './replay.ts';
import { startCommand } from './start.ts';
import { traceCommand } from './trace.ts';
import { workerCommand } from './worker.ts';

/**
 * All commands. What opens a database is loaded by the command that needs it, when it does: that takes four times as
 * long as everything else here, and asking a running server needs none of it. Wrong use ends with status 2 and says what
 * is right.
 */
export function createProgram(): Command {
  const program = new Command('signalbox')
    .description('Interlocking for content that passes through slow, flaky, expensive AI steps')
    .version('0.1.0')
    .showHelpAfterError()
    .exitOverride();
  for (const command of [
    startCommand(),
    workerCommand(),
    demoCommand(),
    cleanCommand(),
    moderateCommand(),
    readCommand(),
    extractCommand(),
    documentsCommand(),
    labelsCommand(),
    replayCommand(),
    traceCommand(),
    queuesCommand(),
    deadLettersCommand(),
    doctorCommand(),
    mockModelCommand(),
  ]) {
    inherit(command, program);
    program.addCommand(command);
  }
  return program;
}

/** Commands below commands too: they would end with commander's own status for wrong use, which is 1. */
function inherit(command: Command, from: Command): void {
  command.copyInheritedSettings(from);
  for (const below of command.commands) inherit(below, command);
}
