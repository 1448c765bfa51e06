import { parseRank } from '../text/ordinal.ts';
import { subjectsOf } from './list-subject.ts';
import type { ListFindings } from './rank-lists.ts';
import type { Doc } from './read-markdown.ts';
import type { Mention } from './recognise.ts';
import { lastLine, type Tone } from './tone.ts';

const rankHeader = /^(?:综合|总|推荐)?(?:排名|名次|排行|位次|排序)$|^(?:overall )?rank(?:ing)?$|^place$|^top\s?\d*$/i;
const numberHeader = /^(?:#|no\.?|序号|编号)$/i;
const nameHeader = /产品|品牌|名称|工具|软件|应用|平台|型号|name|product|tool|brand|app|platform|model/i;
const saysRanking = /排名|排行|名次|榜|\btop\b|\branking\b|\branked\b/i;

/**
 * Ranks from tables: a rank column decides before the order of rows; a column of running numbers and the order of rows
 * count only where header, caption or heading speak of a ranking. A row is about the brand that its name column opens with;
 * a recommending table that has a column of names recommends them.
 */
export function readTables(
  doc: Doc,
  byBlock: ReadonlyMap<number, Mention[]>,
  tones: readonly Tone[],
  findings: ListFindings,
): void {
  let header = -1;
  let rankColumn = -1;
  let nameColumn = 0;
  let isRanking = false;
  let listsNames = false;
  let row = 0;
  doc.blocks.forEach((block, index) => {
    if (block.kind !== 'row') return;
    if (header === -1 || doc.blocks[header]!.table !== block.table) {
      header = index;
      row = 0;
      const titles = block.cells.map((cell) => doc.text.slice(cell.start, cell.end).replace(/[*_`\s]/g, ''));
      isRanking = titles.some((title) => saysRanking.test(title)) || saysRanking.test(captionOf(doc, index));
      rankColumn = titles.findIndex((title) => rankHeader.test(title));
      if (rankColumn === -1 && isRanking) rankColumn = titles.findIndex((title) => numberHeader.test(title));
      const named = titles.findIndex((title, column) => column !== rankColumn && nameHeader.test(title));
      listsNames = named !== -1;
      nameColumn =
        named !== -1 ? named : titles.findIndex((title, column) => column !== rankColumn && !numberHeader.test(title));
      return;
    }
    row++;
    const name = block.cells[nameColumn];
    const mentions = byBlock.get(index);
    if (name === undefined || mentions === undefined) return;
    const rankCell = block.cells[rankColumn];
    const given = rankCell === undefined ? null : parseRank(doc.text.slice(rankCell.start, rankCell.end));
    const rank = rankColumn !== -1 ? given : isRanking ? row : null;
    for (const { brand } of subjectsOf(doc.text, name.start, name.end, mentions)) {
      if (tones[index] === 'avoid') findings.avoided.add(brand);
      if (tones[index] === 'recommend' && listsNames) findings.listed.add(brand);
      if (rank === null || tones[index] === 'avoid' || tones[index] === 'drawback') continue;
      if (!findings.places.some((place) => place.brand === brand))
        findings.places.push({ brand, rank, source: 'table' });
    }
  });
}

/** The paragraph or heading directly above a table. */
function captionOf(doc: Doc, header: number): string {
  const above = doc.blocks[header - 1];
  return above !== undefined && (above.kind === 'paragraph' || above.kind === 'heading') ? lastLine(doc, above) : '';
}
