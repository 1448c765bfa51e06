import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CodedError } from '../errors/coded-error.ts';
import { classifyError, isDatabaseBlip, sqlState } from './classify.ts';

const withCode = (code: string, message = 'no') => Object.assign(new Error(message), { code });

describe('an error of the database', () => {
  test.each([
    ['08006', 'connection_failure'],
    ['08P01', 'protocol_violation'],
    ['53300', 'too_many_connections'],
    ['53100', 'disk_full'],
    ['55P03', 'lock_not_available'],
    ['57P01', 'admin_shutdown'],
    ['57P03', 'cannot_connect_now'],
    ['57014', 'query_canceled'],
    ['40001', 'serialization_failure'],
    ['40P01', 'deadlock_detected'],
    ['58030', 'io_error'],
  ])('%s (%s) may pass', (code) => {
    expect(classifyError(withCode(code))).toMatchObject({ code: 'storage.unavailable', errorClass: 'transient' });
  });

  test.each([
    ['23505', 'unique_violation'],
    ['23503', 'foreign_key_violation'],
    ['22P02', 'invalid_text_representation'],
    ['22001', 'string_data_right_truncation'],
    ['42P01', 'undefined_table'],
    ['42601', 'syntax_error'],
    ['40002', 'transaction_integrity_constraint_violation'],
    ['55000', 'object_not_in_prerequisite_state'],
    ['57000', 'operator_intervention'],
    ['25P02', 'in_failed_sql_transaction'],
  ])('%s (%s) does not', (code) => {
    expect(classifyError(withCode(code))).toMatchObject({ code: 'core.unexpected', errorClass: 'permanent' });
  });

  test('is known through wrappers', () => {
    const wrapped = new Error('query failed', { cause: new Error('again', { cause: withCode('57P01') }) });
    expect(isDatabaseBlip(wrapped)).toBe(true);
    expect(sqlState(wrapped)).toBe('57P01');
    expect(classifyError(wrapped)).toEqual({
      code: 'storage.unavailable',
      errorClass: 'transient',
      message: 'query failed',
    });
  });

  test('its state is five characters, and the outermost one counts', () => {
    expect(sqlState(withCode('23505'))).toBe('23505');
    expect(sqlState(new Error('no', { cause: withCode('40P01') }))).toBe('40P01');
    expect(sqlState(Object.assign(withCode('23505'), { cause: withCode('40P01') }))).toBe('23505');
    expect(sqlState(withCode('ECONNRESET'))).toBeNull();
    expect(sqlState(new Error('23505'))).toBeNull();
    expect(sqlState('23505')).toBeNull();
  });
});

describe('an error of the connection', () => {
  test.each([
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'EAI_AGAIN',
    'ENOTFOUND',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EMFILE',
    'ENOSPC',
  ])('%s may pass', (code) => {
    expect(classifyError(withCode(code)).errorClass).toBe('transient');
  });

  test.each(['ENOENT', 'EACCES', 'EINVAL'])('%s does not', (code) => {
    expect(classifyError(withCode(code)).errorClass).toBe('permanent');
  });

  test.each([
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('"%s", which comes without a code, may pass', (message) => {
    expect(classifyError(new Error(message)).errorClass).toBe('transient');
    expect(classifyError(withCode('23505', message)).errorClass).toBe('permanent');
  });

  describe('as the driver reports it', () => {
    // Servers that take the connection and say nothing, or hang up at once.
    let silent: Server;
    let rude: Server;
    const listen = (server: Server) =>
      new Promise<Server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
    const at = (server: Server) => ({
      host: '127.0.0.1',
      port: (server.address() as { port: number }).port,
      user: 'nobody',
      database: 'none',
    });
    beforeAll(async () => {
      silent = await listen(createServer((socket) => socket.on('error', () => {})));
      rude = await listen(createServer((socket) => socket.destroy()));
    });
    afterAll(() => {
      silent.close();
      rude.close();
    });
    const failureOf = async (doing: Promise<unknown>): Promise<Error> => {
      const failure: unknown = await doing.then(
        () => new Error('it did not fail'),
        (error) => error,
      );
      expect(failure).toBeInstanceOf(Error);
      return failure as Error;
    };
    const soon = { connectionTimeoutMillis: 20 };

    test('a server that hangs up', async () => {
      const failure = await failureOf(new pg.Client(at(rude)).connect());
      expect(classifyError(failure)).toMatchObject({ code: 'storage.unavailable', errorClass: 'transient' });
    });

    test('nobody who listens', async () => {
      const closed = await listen(createServer());
      const address = at(closed);
      await new Promise((resolve) => closed.close(resolve));
      const failure = await failureOf(new pg.Client(address).connect());
      expect(classifyError(failure)).toMatchObject({ code: 'storage.unavailable', errorClass: 'transient' });
    });

    test('a server that does not answer', async () => {
      const failure = await failureOf(new pg.Client({ ...at(silent), ...soon }).connect());
      expect(classifyError(failure)).toMatchObject({ code: 'storage.unavailable', errorClass: 'transient' });
    });

    test('a pool whose server does not answer, and the one who waits behind', async () => {
      const pool = new pg.Pool({ ...at(silent), ...soon, max: 1 });
      pool.on('error', () => {});
      const failures = await Promise.all([failureOf(pool.connect()), failureOf(pool.connect())]);
      expect(failures[0]!.message).not.toBe(failures[1]!.message);
      for (const failure of failures) {
        expect(classifyError(failure)).toMatchObject({ code: 'storage.unavailable', errorClass: 'transient' });
      }
      await pool.end();
    });
  });
});

describe('any other error', () => {
  test('a coded one is taken at its word', () => {
    const error = new CodedError('models.busy', 'postponed', 'later', {
      detail: { status: 429 },
      retryAfterSeconds: 7,
    });
    expect(classifyError(error)).toEqual({
      code: 'models.busy',
      errorClass: 'postponed',
      message: 'later',
      detail: { status: 429 },
      retryAfterSeconds: 7,
    });
    const cut = new CodedError('storage.cut', 'permanent', 'no', { cause: withCode('ECONNRESET') });
    expect(classifyError(cut)).toEqual({ code: 'storage.cut', errorClass: 'permanent', message: 'no', detail: {} });
  });

  test.each([
    [new TypeError('x is undefined'), 'x is undefined'],
    ['a word', 'a word'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{ code: '57P01' }, '[object Object]'],
  ])('%s is a mistake of ours: permanent', (thrown, message) => {
    expect(classifyError(thrown)).toEqual({ code: 'core.unexpected', errorClass: 'permanent', message });
  });
});
