import { createRoute, z } from '@hono/zod-openapi';
import { type Endpoint, endpoint, jsonAnswer, jsonBody } from '../core/route.ts';
import { publish, readRulebook } from '../core/rulebook.ts';
import { NO_TYPES, SETTINGS_SECTION, type Settings, settingsSchema, TYPES_SECTION } from './configure.ts';
import { parseTypes } from './document-types.ts';
import { countStale } from './list-documents.ts';
import { anything, type DocumentRoutesDeps } from './routes.ts';

const note = z.string().max(1000).optional();
const published = {
  200: jsonAnswer(z.object({ version: z.int() }), 'The new version; nothing is run again because of it'),
};

/** Which types there are, and who sorts and reads. */
export function configurationRoutes(deps: Pick<DocumentRoutesDeps, 'database' | 'configured'>): Endpoint[] {
  const { database, configured } = deps;
  const write = async (section: string, content: unknown, author: string, said: string | undefined) => {
    const version = await database.transaction((tx) => publish(tx, { section, content, author, note: said ?? null }));
    configured.edited();
    return version;
  };
  return [
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/documents/types',
        responses: { 200: jsonAnswer(anything, 'The types with their version, and what older versions made, by type') },
      }),
      async (c) => {
        const { version, at, author, note: said, content } = await readRulebook(database, TYPES_SECTION, NO_TYPES);
        const stale = await countStale(database, version);
        return c.json({ items: content.types, version, at, author, note: said, stale }, 200);
      },
    ),
    endpoint(
      'configure',
      createRoute({
        method: 'put',
        path: '/documents/types',
        request: { body: jsonBody(z.strictObject({ items: z.array(anything), note })) },
        responses: published,
      }),
      async (c) => {
        const { items, note: said } = c.req.valid('json');
        if (items.length) parseTypes({ types: items });
        return c.json({ version: await write(TYPES_SECTION, { types: items }, c.get('caller').id, said) }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/documents/settings',
        responses: { 200: jsonAnswer(settingsSchema.extend({ version: z.int() }), 'Which model, if any') },
      }),
      async (c) => {
        const { version, content } = await readRulebook<Settings>(database, SETTINGS_SECTION, {});
        return c.json({ ...content, version }, 200);
      },
    ),
    endpoint(
      'configure',
      createRoute({
        method: 'put',
        path: '/documents/settings',
        request: { body: jsonBody(settingsSchema.extend({ note })) },
        responses: published,
      }),
      async (c) => {
        const { note: said, ...settings } = c.req.valid('json');
        return c.json({ version: await write(SETTINGS_SECTION, settings, c.get('caller').id, said) }, 200);
      },
    ),
  ];
}
