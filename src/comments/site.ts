import { z } from '@hono/zod-openapi';
import { CodedError } from '../errors/coded-error.ts';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';

const text = (most: number) => z.string().trim().min(1).max(most).refine(isStorable, NOT_STORABLE);

/** `https://blog.example`, as browsers send it: no path, no slash at its end. */
const origin = z.string().refine((value) => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.origin === value;
}, 'an origin like https://blog.example');

/** One site whose readers comment. */
export const siteSchema = z.strictObject({
  id: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,62}$/u, 'letters, digits, ., _ and -'),
  /** Pages from which browsers may write. What no browser sent carries no origin. */
  origins: z.array(origin).max(100),
  auto_reply: z.boolean().default(false),
  /** Who answers, and how. */
  persona: text(4000).optional(),
  /** How the AI is called where its replies are shown. */
  reply_name: text(80).default('AI'),
  owner_emails: z.array(z.email().max(254)).max(20).default([]),
  order: z.enum(['oldest', 'newest']).default('oldest'),
  /** Threads a page. */
  page_size: z.int().min(1).max(100).default(20),
  edit_window_s: z.int().min(0).max(86_400).default(300),
  /** Whether AI answers what a person approved, too. */
  reply_after_human_approval: z.boolean().default(false),
  /** The policy by which it is audited. */
  policy: text(64).default('default'),
  /** The model that answers; left out: the one called `default`, else the first. */
  reply_model: text(63).optional(),
  reply_limits: z
    .strictObject({
      max_characters: z.int().min(1).max(4000).default(600),
      /** AI replies in one thread, whoever asks. */
      per_thread: z.int().min(0).max(100).default(3),
      /** AI replies of the site in 24 hours. */
      per_day: z.int().min(0).max(100_000).default(200),
      /** Domains that a reply may link to, beside those of the origins. */
      link_domains: z.array(text(253)).max(100).default([]),
    })
    .prefault({}),
});

export type Site = z.infer<typeof siteSchema>;

export const SITES_SECTION = 'comments.sites';
export const NO_SITES = { items: [] };
export const SITES_INVALID = 'comments.sites_invalid';
export const SITE_UNKNOWN = 'comments.site_unknown';

/** The sites by id. Throws `comments.sites_invalid` naming the field, or the id that stands twice. */
export function parseSites(content: unknown): ReadonlyMap<string, Site> {
  const parsed = z.strictObject({ items: z.array(siteSchema).max(1000) }).safeParse(content);
  if (!parsed.success) throw new CodedError(SITES_INVALID, 'permanent', z.prettifyError(parsed.error));
  const sites = new Map<string, Site>();
  for (const site of parsed.data.items) {
    if (sites.has(site.id)) throw new CodedError(SITES_INVALID, 'permanent', `two sites have the id '${site.id}'`);
    sites.set(site.id, site);
  }
  return sites;
}

/** Throws `comments.site_unknown`. */
export function findSite(sites: ReadonlyMap<string, Site>, id: string): Site {
  const site = sites.get(id);
  if (!site) throw new CodedError(SITE_UNKNOWN, 'permanent', `there is no site '${id}'`);
  return site;
}
