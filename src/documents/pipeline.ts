import type { AnyStage } from '../jobs/stage.ts';
import { classifyStage } from './classify-stage.ts';
import type { Configured } from './configured.ts';
import { extractFieldsStage } from './extract-fields-stage.ts';
import { extractTextStage, type FileDeps } from './extract-text-stage.ts';
import { replayStage } from './replay-stage.ts';

export interface PipelineDeps extends FileDeps {
  readonly configured: Configured;
}

/** Which step runs in which state, in order. */
export function freshStages(deps: PipelineDeps): AnyStage[] {
  return [
    extractTextStage(deps), // uploaded → extracting_text → classifying
    classifyStage(deps.configured), // classifying → extracting_fields, or in_review
    extractFieldsStage(deps.configured), // extracting_fields → ready, or in_review
  ];
}

/** What is done again with documents at rest, from which step on. */
export const replayStages = (deps: PipelineDeps) => ({
  're-read': replayStage('re-read', deps), // text, type, fields
  're-classify': replayStage('re-classify', deps), // type, fields
  're-extract': replayStage('re-extract', deps), // fields
});
