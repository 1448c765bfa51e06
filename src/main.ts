import { CommanderError } from 'commander';
import { EXIT } from './cli/exit-status.ts';
import { complain } from './cli/output.ts';
import { createProgram } from './cli/program.ts';
import { CodedError } from './errors/coded-error.ts';

// Whoever reads may stop reading (`… | head`): the work goes on to its end, and the database is closed as ever.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await createProgram().parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  } else if (error instanceof CodedError) {
    complain(`signalbox: ${error.message} (${error.code})`);
    process.exitCode = EXIT.wrongUse;
  } else {
    throw error;
  }
}
