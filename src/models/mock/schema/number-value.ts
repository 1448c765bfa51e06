import { unit } from '../random.ts';
import { type SchemaObject, schemaError } from './json-schema.ts';

/**
 * A plausible number inside the schema's bounds: a share for names like confidence, small and positive otherwise.
 *
 * @throws CodedError `mock_model.bad_schema` where the bounds leave no room
 */
export function numberValue(
  s: SchemaObject,
  type: 'number' | 'integer',
  { seed, place, name }: { readonly seed: string; readonly place: string; readonly name: string },
): number {
  const least = Math.max(s.minimum ?? -Infinity, s.exclusiveMinimum ?? -Infinity);
  const most = Math.min(s.maximum ?? Infinity, s.exclusiveMaximum ?? Infinity);
  const share = type === 'number' && /confidence|probability|ratio|share|rate$|likelihood/i.test(name);
  const span = share ? 1 : 100;
  // Bounds as wide as all safe integers say nothing: stay near zero where that is allowed.
  const low = least <= 0 && most >= 0 ? 0 : least > 0 ? least : Math.max(least, most - span);
  const high = Math.min(most, low + span);
  const step = s.multipleOf ?? (type === 'integer' ? 1 : undefined);
  if (step !== undefined) return onStep(wholeStep(step, type), { low, high, least, most, s, at: unit(seed, place) });
  if (low > high || (low === high && (low === s.exclusiveMinimum || low === s.exclusiveMaximum))) throw noRoom(place);
  const value = low + (high - low) * (0.05 + 0.9 * unit(seed, place));
  const rounded = Math.round(value * 100) / 100;
  return rounded > low && rounded < high ? rounded : value;
}

// A number that is whole and a multiple of 0.5 is a multiple of 1.
function wholeStep(step: number, type: 'number' | 'integer'): number {
  if (type === 'number' || Number.isInteger(step)) return step;
  for (let times = 2; times <= 1000; times++) if (Number.isInteger(step * times)) return step * times;
  throw schemaError(`no whole number is a multiple of ${step}`);
}

interface Room {
  readonly low: number;
  readonly high: number;
  readonly least: number;
  readonly most: number;
  readonly s: SchemaObject;
  readonly at: number;
}

function onStep(step: number, { low, high, least, most, s, at }: Room): number {
  const allowed = (times: number) =>
    times * step >= least &&
    times * step <= most &&
    (s.exclusiveMinimum === undefined || times * step > s.exclusiveMinimum) &&
    (s.exclusiveMaximum === undefined || times * step < s.exclusiveMaximum);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  const aimed = first + Math.floor(at * Math.max(1, last - first + 1));
  const times = [aimed, first, first + 1, last, last - 1].find(allowed);
  if (times === undefined) throw schemaError(`no multiple of ${step} lies within the bounds`);
  // 3 × 0.1 is 0.30000000000000004: give it the digits of the step.
  return Number((times * step).toPrecision(15));
}

function noRoom(place: string) {
  return schemaError(`${place}: the bounds leave no number`);
}
