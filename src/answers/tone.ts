import type { Block } from '../text/markdown-blocks.ts';
import { toSimplified } from '../text/simplified.ts';
import type { Doc } from './read-markdown.ts';

/** What a list or table is for, by the words above it. Only the first two of these give ranks; `unordered`
 * recommends and says itself that its order means nothing. */
export type Tone = 'recommend' | 'neutral' | 'unordered' | 'avoid' | 'drawback' | 'steps';

const avoid =
  /避雷|避坑|避开|不推荐|不建议|慎选|慎入|慎买|踩雷|劝退|黑榜|别买|别选|不值得|最差|\bavoid\b|\bskip\b|not recommend|don't recommend|stay away|steer clear|\bworst\b/i;
const unordered =
  /不分先后|无先后|不分排名|排名不分|按字母|按拼音|按首字母|no particular order|no specific order|not in (?:any )?order|in alphabetical order|alphabetically/i;
const reasons = /理由|原因|优点|优势|亮点|\breasons?\b|\bpros\b|\badvantages\b|\bstrengths\b/i;
const drawback = /缺点|不足|劣势|局限|短板|弊端|风险|\bcons\b|drawback|limitation|disadvantage|downside/i;
const recommend =
  /推荐|首选|优选|精选|值得|排名|排行|榜|梯队|前[三四五十\d]|性价比|\btop\b|\bbest\b|\bpicks?\b|recommend|ranking|ranked|options|alternatives|\b(?:also|worth) consider|would (?:try|pick|use|choose)|worth (?:trying|a look)/i;
const steps =
  /步骤|流程|教程|操作|怎么用|如何|方法|标准|维度|因素|要点|原则|\bsteps?\b|how to|criteria|factors|(?:things|points|what|questions) to consider\b/i;

const asksForSteps = /^(?:请问)?(?:如何|怎么|怎样)(?!选|排|挑)|步骤|教程|how (?:do|to|can|should) /i;
const asksForNames =
  /推荐|哪些|哪个|哪款|哪家|哪种|哪一|有什么|什么.{0,6}(?:好|牌|软件|工具|手机|车|电脑|品牌|平台)|最好|最佳|排名|排行|怎么[选排挑]|榜|前[三四五十\d]|选什么|买什么|买哪|用什么|好用|性价比|值得|\btop\b|\bbest\b|recommend|\bwhich\b|alternatives?|options|おすすめ|recommand|recomienda|empfehl/i;

/** The tone of a question: whether it asks for names, for a procedure, or for something else. */
export function toneOfQuery(query: string, sceneType = ''): Tone {
  if (/^recommend/i.test(sceneType)) return 'recommend';
  const asked = toSimplified(query);
  if (asksForSteps.test(asked)) return 'steps';
  return asksForNames.test(asked) ? 'recommend' : 'neutral';
}

/** The tone of a heading, of the line above a list, or of the words before an item. */
export function toneOfTitle(written: string): Tone {
  const title = toSimplified(written);
  if (avoid.test(title)) return 'avoid';
  if (drawback.test(title)) return 'drawback';
  if (unordered.test(title)) return 'unordered';
  if (reasons.test(title)) return 'steps';
  if (recommend.test(title)) return 'recommend';
  return steps.test(title) ? 'steps' : 'neutral';
}

/**
 * The tone under which each block stands: that of the item around it, else of the line directly above the list, else of
 * the headings above, the nearest first, else `fallback`. A paragraph's own words do not count for it.
 */
export function tonesOf(doc: Doc, fallback: Tone): Tone[] {
  const tones: Tone[] = [];
  const headings: { level: number; tone: Tone }[] = [];
  let lead: Tone = 'neutral';
  let led: Block['kind'] | null = null;
  for (const block of doc.blocks) {
    const divides = block.kind === 'heading' && block.parent === -1;
    if (divides) while (headings.length > 0 && headings.at(-1)!.level >= block.level) headings.pop();
    const above = headings.findLast((heading) => heading.tone !== 'neutral')?.tone ?? fallback;
    if (divides) {
      tones.push(above);
      headings.push({
        level: block.level,
        tone: block.ordinal === null ? toneOfTitle(firstLine(doc, block)) : 'neutral',
      });
      lead = 'neutral';
    } else if (block.parent !== -1) {
      const parent = doc.blocks[block.parent]!;
      const own = parent.ordinal === null ? toneOfTitle(firstLine(doc, parent)) : 'neutral';
      tones.push(own === 'neutral' ? tones[block.parent]! : own);
    } else if (block.kind === 'paragraph' || block.kind === 'code') {
      tones.push(above);
      lead = toneOfTitle(lastLine(doc, block));
      led = null;
    } else {
      // A line announces what stands directly below it: not the table that follows the list.
      led ??= block.kind;
      tones.push(lead === 'neutral' || led !== block.kind ? above : lead);
    }
  }
  return tones;
}

const MAX_TITLE = 80;

export function firstLine(doc: Doc, block: Block): string {
  const line = doc.text.slice(block.content, Math.min(block.end, block.content + MAX_TITLE));
  const end = line.indexOf('\n');
  return end === -1 ? line : line.slice(0, end);
}

export function lastLine(doc: Doc, block: Block): string {
  const line = doc.text.slice(Math.max(block.content, block.end - MAX_TITLE), block.end);
  return line.slice(line.lastIndexOf('\n') + 1);
}
