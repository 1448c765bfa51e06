import { seededChance } from './answers.ts';

const CHARACTERS =
  '华米京东方平安百度阿里腾讯字节美团拼多小红书快手网易海尔格力联想中兴长城吉利奇瑞比亚迪蔚来理想小鹏极光云天数智星河金山银江南北西新国民大众信远达通联合创景泰康宁永恒瑞丰盛德仁和顺兴隆祥福源宝贝乐家居尚品优选良质诚真味香甜清泉绿野蓝海红日青松白鹤';
const SYLLABLES =
  'ba co di fu ga he ki lo me no po ra su te vi wo xa yu za qi en ar is on tech nova lab cloud soft meta'.split(' ');

/**
 * Names to look for, half Chinese, half Latin, in lower case and without spaces or hyphens: where a folded and a
 * plain search find the same.
 */
export function makeAliases(count: number, seed: number): string[] {
  const chance = seededChance(seed);
  const pick = <T>(from: ArrayLike<T>): T => from[Math.floor(chance() * from.length)]!;
  const made = new Set<string>();
  while (made.size < count) {
    const parts = 2 + Math.floor(chance() * 3);
    const from = made.size % 2 ? SYLLABLES : [...CHARACTERS];
    const name = Array.from({ length: parts }, () => pick(from)).join('');
    if (name.length >= (made.size % 2 ? 4 : 2)) made.add(name);
  }
  return [...made];
}
