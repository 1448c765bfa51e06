import type { Policy } from '../policy.ts';
import { excerpt, type Field, type Finding } from './finding.ts';

/** An address as people and programs write it. */
const LINK = /(?:https?:\/\/|www\.)[^\s<>"'`，。、；：！？（）【】「」《》“”]+/giu;
/** A name with a dot: only to see whether it is a blocked one, since README.md is no address. */
const HOST = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}[a-z]{2,24}/giu;

/** The addresses in a text, each as often as it stands there. */
export const linksIn = (text: string): string[] => text.match(LINK) ?? [];

/** Links that are too many, stand in a name, or lead to a blocked domain; in every public field. */
export function checkLinks(fields: readonly Field[], { max_links, max_mentions, blocked_domains }: Policy): Finding[] {
  const found: Finding[] = [];
  const blocked = new Set(blocked_domains.map((domain) => domain.toLowerCase()));
  for (const { name, text, plain } of fields) {
    // A wide comma ends an address, and its plain form does not.
    const [written, undisguised] = [linksIn(text), linksIn(plain.text)];
    const links = written.length > undisguised.length ? written : undisguised;
    for (const host of new Set(plain.text.toLowerCase().match(HOST) ?? [])) {
      if (isBlocked(host, blocked)) {
        found.push({ code: 'blocked_domain', evidence: excerpt(host), rule: 'links', means: 'reject' });
      }
    }
    if (name === 'author.name' && links.length) {
      found.push({ code: 'link_in_name', evidence: excerpt(text), rule: 'links', means: 'review' });
    }
    if (name === 'content' && links.length > max_links) {
      found.push({ code: 'many_links', evidence: excerpt(links.join(' ')), rule: 'links', means: 'review' });
    }
    const mentions = name === 'content' ? (plain.text.match(/(?<![\p{L}\p{N}])@[\p{L}\p{N}_]/gu) ?? []).length : 0;
    if (mentions > max_mentions) {
      found.push({ code: 'many_mentions', evidence: `${mentions} mentions`, rule: 'links', means: 'review' });
    }
  }
  return found;
}

/** Whether a host is a blocked domain or lies below one. */
function isBlocked(host: string, blocked: ReadonlySet<string>): boolean {
  const labels = host.split('.');
  return labels.some((_, n) => blocked.has(labels.slice(n).join('.')));
}
