import { describe, expect, it } from 'vitest';
import { classifyStatus } from './classify-status.ts';

const NOW = Date.UTC(2026, 6, 8, 10, 0, 0);

describe('classifyStatus', () => {
  it.each([200, 201, 204, 301, 304, 399])('%i is no failure', (status) => {
    expect(classifyStatus(status, { 'retry-after': '5' }, NOW)).toBeNull();
  });
  it.each([408, 425, 500, 501, 502, 503, 504, 520, 599])('%i is transient', (status) => {
    expect(classifyStatus(status, {}, NOW)).toEqual({ errorClass: 'transient' });
  });
  it.each([400, 401, 403, 404, 405, 409, 410, 413, 422, 451])('%i is permanent', (status) => {
    expect(classifyStatus(status, { 'retry-after': '5' }, NOW)).toEqual({ errorClass: 'permanent' });
  });
  it.each([
    [429, '7', 7],
    [429, '0', 0],
    [503, '30', 30],
    [503, 'Wed, 08 Jul 2026 10:00:10 GMT', 10],
    [429, '999999', 86_400],
  ])('%i with %j is postponed by %i s', (status, header, seconds) => {
    expect(classifyStatus(status, { 'retry-after': header }, NOW)).toEqual({
      errorClass: 'postponed',
      retryAfterSeconds: seconds,
    });
  });
  it('takes the first of several headers', () => {
    expect(classifyStatus(429, { 'retry-after': ['3', '9'] }, NOW)?.retryAfterSeconds).toBe(3);
  });
  it('postpones 429 without a time, and retries 503 without one', () => {
    expect(classifyStatus(429, {}, NOW)).toEqual({ errorClass: 'postponed' });
    expect(classifyStatus(429, { 'retry-after': '-3' }, NOW)).toEqual({ errorClass: 'postponed' });
    expect(classifyStatus(503, { 'retry-after': 'later' }, NOW)).toEqual({ errorClass: 'transient' });
  });
  it('ignores Retry-After elsewhere', () => {
    expect(classifyStatus(500, { 'retry-after': '5' }, NOW)).toEqual({ errorClass: 'transient' });
  });
});
