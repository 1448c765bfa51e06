import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { S3Driver } from 'flydrive/drivers/s3';
import type { BlobDisk } from './blob-disk.ts';
import { isBlobKey } from './blob-key.ts';
import type { S3Options } from './blob-store.ts';

export function openS3Disk(options: S3Options): BlobDisk {
  const client = new S3Client({
    region: options.region,
    ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    forcePathStyle: options.forcePathStyle ?? false,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    // By default the SDK adds checksums that S3-compatible servers do not know: 6,000,056 bytes were measured to be
    // stored of 6,000,000 where one travelled as a trailer in the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Retries are the queue's.
    maxAttempts: 1,
    // Idle time, not total: a large blob over a slow line may take its time.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: options.timeoutMs ?? 30_000 },
  });
  // Many compatible stores know no ACLs, and new AWS buckets refuse them.
  const driver = new S3Driver({ client, bucket: options.bucket, visibility: 'private', supportsACL: false });
  return {
    driver,
    keys: (prefix) => listKeys(client, options.bucket, prefix),
    close: () => client.destroy(),
  };
}

/** Not by flydrive's `listAll`: one object with another letter in its key, put there by others, makes that fail. */
async function* listKeys(client: S3Client, bucket: string, prefix: string): AsyncGenerator<string> {
  let from: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix || undefined, ContinuationToken: from }),
    );
    for (const { Key: key } of page.Contents ?? []) {
      if (key !== undefined && isBlobKey(key)) yield key;
    }
    from = page.NextContinuationToken;
  } while (from !== undefined);
}
