import type { ChatRequest } from './chat-request.ts';
import type { When } from './fault-kinds.ts';

/** Whether every given condition holds; no conditions hold for every request. */
export function matchesWhen(when: When | undefined, request: Pick<ChatRequest, 'text' | 'model'>): boolean {
  if (when === undefined) return true;
  if (when.model !== undefined && when.model !== request.model) return false;
  if (when.contains !== undefined && !request.text.includes(when.contains)) return false;
  return when.matches === undefined || new RegExp(when.matches, 'iu').test(request.text);
}
