import { createRoute, z } from '@hono/zod-openapi';
import { type Endpoint, endpoint, errorSchema, jsonAnswer, jsonBody } from '../core/route.ts';
import { publish, readRulebook } from '../core/rulebook.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { Configured } from './configure.ts';
import { POLICIES_SECTION, parsePolicies, policySchema } from './policy.ts';
import { findSite, parseSites, SITES_SECTION, siteSchema } from './site.ts';
import { idSchema } from './submission.ts';

export interface ConfigurationDeps {
  readonly database: Database;
  readonly configured: Configured;
}

const anything = z.record(z.string(), z.unknown());
const version = jsonAnswer(z.object({ version: z.int() }), 'The new version');
const note = z.string().max(1000).optional();
const failures = { 404: jsonAnswer(errorSchema, 'There is no such thing') };
const articleSchema = z.strictObject({
  site: z.string(),
  article_id: idSchema,
  title: z.string().trim().min(1).max(500),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  summary: z.string().trim().max(8000).optional(),
});

/** Sites, policies, and what the owner says of articles. */
export function configurationRoutes({ database, configured }: ConfigurationDeps): Endpoint[] {
  const section = <Item extends z.ZodType>(
    path: string,
    name: string,
    item: Item,
    check: (content: unknown) => unknown,
    description: string,
  ): Endpoint[] => [
    endpoint(
      'read',
      createRoute({ method: 'get', path, responses: { 200: jsonAnswer(anything, description) } }),
      async (c) => {
        const { content, ...told } = await readRulebook<{ items: unknown[] }>(database, name, { items: [] });
        const { section: _section, ...about } = told;
        return c.json({ items: content.items, ...about }, 200);
      },
    ),
    endpoint(
      'configure',
      createRoute({
        method: 'put',
        path,
        request: { body: jsonBody(z.strictObject({ items: z.array(item), note })) },
        responses: { 200: version },
      }),
      async (c) => {
        const body = c.req.valid('json');
        check({ items: body.items });
        const edit = {
          section: name,
          content: { items: body.items },
          author: c.get('caller').id,
          note: body.note ?? null,
        };
        const published = await database.transaction((tx) => publish(tx, edit));
        configured.edited();
        return c.json({ version: published }, 200);
      },
    ),
  ];
  return [
    ...section('/comments/sites', SITES_SECTION, siteSchema, parseSites, 'Sites'),
    ...section('/comments/policies', POLICIES_SECTION, policySchema, parsePolicies, 'Policies, with their word lists'),
    endpoint(
      'configure',
      createRoute({
        method: 'delete',
        path: '/comments/sites/{site}',
        request: { params: z.object({ site: z.string() }) },
        responses: { 200: version, ...failures },
      }),
      async (c) => {
        const { site } = c.req.valid('param');
        const published = await database.transaction(async (tx) => {
          const { content } = await readRulebook<{ items: { id: string }[] }>(tx, SITES_SECTION, { items: [] });
          findSite(parseSites(content), site);
          const items = content.items.filter(({ id }) => id !== site);
          return publish(tx, { section: SITES_SECTION, content: { items }, author: c.get('caller').id });
        });
        configured.edited();
        return c.json({ version: published }, 200);
      },
    ),
    endpoint(
      'submit',
      createRoute({
        method: 'put',
        path: '/comments/articles',
        request: { body: jsonBody(z.strictObject({ items: z.array(articleSchema).min(1).max(500) })) },
        responses: { 200: jsonAnswer(z.object({ stored: z.int() }), 'What audits and replies know of these articles') },
      }),
      async (c) => {
        const { items } = c.req.valid('json');
        const sites = await configured.sites(database);
        for (const { site } of items) findSite(sites, site);
        await database.transaction((tx) => saveArticles(tx, items));
        return c.json({ stored: items.length }, 200);
      },
    ),
  ];
}

/** In the order of their keys, so that two writers cannot wait for each other. */
async function saveArticles(tx: Tx, items: readonly z.output<typeof articleSchema>[]): Promise<void> {
  const newest = new Map(items.map((one) => [JSON.stringify([one.site, one.article_id]), one]));
  const rows = [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  await tx.query(
    `insert into comments_article (site, article_id, title, url, summary, updated_at)
     select site, article_id, title, url, summary, now_here()
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as a(site, article_id, title, url, summary)
     on conflict (site, article_id) do update
        set title = excluded.title, url = excluded.url, summary = excluded.summary, updated_at = excluded.updated_at`,
    [
      rows.map(({ site }) => site),
      rows.map(({ article_id }) => article_id),
      rows.map(({ title }) => title),
      rows.map(({ url }) => url ?? null),
      rows.map(({ summary }) => summary || null),
    ],
  );
}
