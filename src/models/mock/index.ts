export { type MockClock, systemClock } from './clock.ts';
export { mockModelCommand } from './command.ts';
export { type EarlyRequest, earlyRequests } from './early-requests.ts';
export type { Fault, FaultKind } from './fault-kinds.ts';
export { type LoggedRequest, type LogStats, type Outcome, RequestLog, type RetryPromise } from './request-log.ts';
export { parseScript, parseScriptText, readScript, type Script, type ScriptInput } from './script.ts';
export { type MockModel, type MockModelOptions, startMockModel } from './server.ts';
