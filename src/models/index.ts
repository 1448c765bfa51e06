export { forgetAnswers } from './answer-cache.ts';
export type { Answered, Question } from './ask.ts';
export { BUDGET_EXHAUSTED } from './budget.ts';
export { MODEL_ERRORS } from './model-error.ts';
export { type AskModel, type AskOptions, type Models, type ModelsDeps, openModels } from './open-models.ts';
export { MODEL_UNKNOWN, type Model } from './registry.ts';
