import { overHouse, type Station } from '../../src/cli/station.ts';
import { type House, openHouse } from '../../src/server/house.ts';

/** A house that only takes in and tells, beside workers in processes of their own. */
export async function openPost(databaseUrl: string): Promise<{ house: House; api: Station['api'] }> {
  const localKey = 'proof'.repeat(8);
  const house = await openHouse({
    folder: null,
    databaseUrl,
    workers: false,
    anyFile: false,
    env: {},
    localKey,
    onError: () => {},
  });
  return { house, api: overHouse(house, localKey).api };
}
