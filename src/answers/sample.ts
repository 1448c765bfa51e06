import type { StageItem } from '../jobs/stage.ts';
import type { Queryable } from '../storage/database.ts';

/** One answer to be cleaned, as stored. */
export interface Sample extends StageItem {
  /** 1 until a person decided something about it. */
  readonly revision: number;
  readonly cleanTaskId: string;
  readonly sourceTaskId: string;
  readonly batchId: string;
  readonly brandName: string | null;
  readonly brandAliases: readonly string[];
  readonly platform: string;
  readonly sceneType: string;
  readonly queryText: string;
  readonly rawDataUrl: string | null;
  readonly maxCleanRetries: number;
  /** The state from which it was given up once; null if never. */
  readonly reached: string | null;
  /** JSON of the answer, of a task that carried it inline. */
  readonly body: string | null;
}

/** One index look-up an id: the batch's plan does not depend on what the statistics say. */
export async function loadSamples(on: Queryable, ids: readonly string[]): Promise<Sample[]> {
  const { rows } = await on.query<Sample>(
    `select s.id, s.state, s.version, s.revision, s.content_version as "contentVersion", s.clean_task_id as "cleanTaskId",
            s.source_task_id as "sourceTaskId", s.batch_id as "batchId", s.brand_name as "brandName",
            s.brand_aliases as "brandAliases", s.platform, s.scene_type as "sceneType", s.query_text as "queryText",
            s.raw_data_url as "rawDataUrl", s.max_clean_retries as "maxCleanRetries", s.reached, r.body
       from unnest($1::uuid[]) as i(id)
       cross join lateral (select * from answers_sample t where t.id = i.id offset 0) s
       left join lateral (select body from answers_raw t where t.sample = s.id and t.content_version = s.content_version offset 0) r on true`,
    [ids],
  );
  return rows;
}

export interface SamplePlace {
  readonly clean_task_id: string;
  readonly state: string;
  readonly state_since: Date;
  /** Nothing more happens by itself. */
  readonly terminal: boolean;
}

/** Where samples are. Ids that nobody handed in are left out. */
export async function whereSamplesAre(on: Queryable, cleanTaskIds: readonly string[]): Promise<SamplePlace[]> {
  const { rows } = await on.query<SamplePlace>(
    `select clean_task_id, state, state_since, state in ('completed', 'failed') as terminal
       from answers_sample where clean_task_id = any($1::text[]) order by clean_task_id`,
    [cleanTaskIds],
  );
  return rows;
}
