import { describe, expect, test } from 'vitest';
import { faultChooser } from './choose-fault.ts';
import { latencyMs } from './latency.ts';
import { parseScript, type ScriptInput } from './script.ts';

const request = { text: 'any', model: 'm' };

/** What strikes the requests 1 to n: the kinds, null where none does. */
function strikes(script: ScriptInput, n: number, requests = [request]) {
  const choose = faultChooser(parseScript(script));
  return Array.from({ length: n }, (_, i) => choose(requests[i % requests.length] ?? request, i + 1, 1)?.kind ?? null);
}

describe('faults strike', () => {
  test('every request by default', () => {
    expect(strikes({ faults: [{ kind: 'hang' }] }, 2)).toEqual(['hang', 'hang']);
  });

  test('the first requests, and then the next fault its own first ones', () => {
    const faults = [
      { kind: 'rate_limited', first: 2 },
      { kind: 'server_error', first: 1 },
    ] as const;
    expect(strikes({ faults: [...faults] }, 4)).toEqual(['rate_limited', 'rate_limited', 'server_error', null]);
  });

  test('every third request', () => {
    expect(strikes({ faults: [{ kind: 'empty', every: 3 }] }, 6)).toEqual([null, null, 'empty', null, null, 'empty']);
  });

  test('only requests that match, which alone are counted', () => {
    const other = { text: 'the POISON item', model: 'big' };
    const mixed = [request, other];
    expect(strikes({ faults: [{ kind: 'reset', first: 1, when: { contains: 'POISON' } }] }, 4, mixed)).toEqual([
      null,
      'reset',
      null,
      null,
    ]);
    expect(
      strikes({ faults: [{ kind: 'reset', when: { matches: 'poison\\s+\\p{L}+', model: 'big' } }] }, 2, mixed),
    ).toEqual([null, 'reset']);
    expect(strikes({ faults: [{ kind: 'reset', when: { contains: 'POISON', model: 'm' } }] }, 2, mixed)).toEqual([
      null,
      null,
    ]);
  });

  test('only requests that are too many at once, which alone are counted', () => {
    const choose = faultChooser(parseScript({ faults: [{ kind: 'rate_limited', above: 4, every: 2 }] }));
    const kinds = [4, 5, 4, 6].map((inFlight, n) => choose(request, n + 1, inFlight)?.kind ?? null);
    expect(kinds).toEqual([null, null, null, 'rate_limited']);
  });

  test('a share of the requests, the same ones for the same seed', () => {
    const half = (seed: number) => strikes({ seed, faults: [{ kind: 'rate_limited', rate: 0.5 }] }, 400);
    expect(half(1)).toEqual(half(1));
    expect(half(1)).not.toEqual(half(2));
    const struck = half(1).filter((kind) => kind !== null).length;
    expect(struck).toBeGreaterThan(160);
    expect(struck).toBeLessThan(240);
  });

  test('two faults of the same rate draw apart', () => {
    const kinds = strikes(
      {
        faults: [
          { kind: 'hang', rate: 0.5 },
          { kind: 'empty', rate: 0.5 },
        ],
      },
      200,
    );
    for (const kind of ['hang', 'empty', null]) expect(kinds).toContain(kind);
  });
});

test('latency is fixed, or drawn from the seed within its range', () => {
  expect(latencyMs(parseScript({ latency_ms: 30 }), 1)).toBe(30);
  const script = parseScript({ latency_ms: { min: 10, max: 20 } });
  const drawn = Array.from({ length: 50 }, (_, i) => latencyMs(script, i));
  expect(drawn).toEqual(Array.from({ length: 50 }, (_, i) => latencyMs(script, i)));
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(20);
  expect(new Set(drawn).size).toBeGreaterThan(40);
});
