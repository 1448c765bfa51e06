import type { Block } from '../text/markdown-blocks.ts';
import { parseRank } from '../text/ordinal.ts';
import { subjectsOf } from './list-subject.ts';
import type { Mention } from './mention.ts';
import type { ListFindings } from './rank-lists.ts';
import type { Doc } from './read-markdown.ts';
import { lastLine, type Tone, toneOfTitle } from './tone.ts';

const rankHeader =
  /^(?:综合|总|推荐)?(?:排名|名次|排行|位次|排序|顺序|奖牌)$|^(?:overall )?rank(?:ing)?$|^(?:place|medal|position)$|^top\s?\d*$/i;
const numberHeader = /^(?:#|no\.?|序号|编号)$/i;
const nameHeader =
  /产品|品牌|名称|工具|软件|应用|平台|型号|车型|车款|厂家|厂商|公司|模型|选择|方案|推荐|name|product|tool|brand|app|platform|model|vendor|company|pick|choice|option/i;
const saysRanking = /排名|排行|名次|榜|\btop\s?\d*\b|\branking\b|\branked\b/i;

/**
 * Ranks from tables: a rank column decides before the order of rows; a column of running numbers and the order of rows
 * count only where header, caption or heading speak of a ranking
 * (for the numbers it is enough that the question does). A row is about the brand that its name column opens with;
 * a recommending table that has a column of names recommends them.
 */
export function readTables(
  doc: Doc,
  byBlock: ReadonlyMap<number, Mention[]>,
  tones: readonly Tone[],
  query: string,
  findings: ListFindings,
): void {
  const asksForRanking = saysRanking.test(query);
  let header = -1;
  let rankColumn = -1;
  let nameColumn = 0;
  let isRanking = false;
  let listsNames = false;
  let columnTone: Tone = 'neutral';
  let row = 0;
  doc.blocks.forEach((block, index) => {
    if (block.kind !== 'row') return;
    if (header === -1 || doc.blocks[header]!.table !== block.table) {
      header = index;
      row = 0;
      const titles = block.cells.map((cell) => doc.text.slice(cell.start, cell.end).replace(/[*_`\s]/g, ''));
      isRanking = titles.some((title) => saysRanking.test(title)) || saysRanking.test(captionOf(doc, index));
      rankColumn = titles.findIndex((title) => rankHeader.test(title));
      if (rankColumn === -1 && (isRanking || asksForRanking))
        rankColumn = titles.findIndex((title) => numberHeader.test(title));
      const named = titles.findIndex((title, column) => column !== rankColumn && nameHeader.test(title));
      listsNames = named !== -1;
      columnTone = named === -1 ? 'neutral' : toneOfTitle(titles[named]!);
      nameColumn =
        named !== -1 ? named : titles.findIndex((title, column) => column !== rankColumn && !numberHeader.test(title));
      return;
    }
    row++;
    const mentions = byBlock.get(index);
    if (mentions === undefined) return;
    const rankCell = block.cells[rankColumn];
    const given = rankCell === undefined ? null : parseRank(doc.text.slice(rankCell.start, rankCell.end));
    // A column of picks says what the table is for, whatever stands above it.
    const tone = columnTone === 'recommend' || columnTone === 'avoid' ? columnTone : tones[index]!;
    const rank = rankColumn !== -1 ? given : isRanking ? row : null;
    const isListed = tone === 'recommend' && listsNames;
    const isRanked = rank !== null && tone !== 'avoid' && tone !== 'drawback';
    if (tone !== 'avoid' && !isListed && !isRanked) return;
    for (const { brand } of subjectsOfRow(doc, block, nameColumn, rankColumn, mentions)) {
      if (tone === 'avoid') findings.avoided.add(brand);
      if (isListed) findings.listed.add(brand);
      if (isRanked && !findings.places.some((place) => place.brand === brand))
        findings.places.push({ brand, rank, source: 'table' });
    }
  });
}

/** Whom a row is about: the column of names says it, else the first other cell that opens with a brand (the maker of a model). */
function subjectsOfRow(
  doc: Doc,
  row: Block,
  nameColumn: number,
  rankColumn: number,
  mentions: readonly Mention[],
): Mention[] {
  const columns = row.cells
    .map((_, column) => column)
    .filter((column) => column !== nameColumn && column !== rankColumn);
  for (const column of [nameColumn, ...columns]) {
    const cell = row.cells[column];
    const subjects = cell === undefined ? [] : subjectsOf(doc.text, cell.start, cell.end, mentions);
    if (subjects.length > 0) return subjects;
  }
  return [];
}

/** The paragraph or heading directly above a table. */
function captionOf(doc: Doc, header: number): string {
  const above = doc.blocks[header - 1];
  return above !== undefined && (above.kind === 'paragraph' || above.kind === 'heading') ? lastLine(doc, above) : '';
}
