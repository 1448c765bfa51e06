import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import type { Identity } from '../accounts/api-keys.ts';
import { type Endpoint, errorSchema, jsonAnswer, type RouteEnv } from '../core/route.ts';
import { CodedError } from '../errors/coded-error.ts';
import { sqlState } from '../jobs/classify.ts';
import { admit } from './admit.ts';
import { BASE } from './base.ts';
import { errorAnswer } from './error-answer.ts';

const MAX_BODY = 32 * 1024 * 1024;

export interface AppDeps {
  /** Whose key a bearer token is; null for nobody's. */
  readonly identify: (key: string) => Promise<Identity | null>;
  readonly onError: (error: unknown, where: string) => void;
}

/** A route as the server mounted it, for the page of routes and the test that walks them. */
export interface MountedRoute {
  readonly method: string;
  readonly path: string;
  readonly access: Endpoint['access'];
}

export interface App {
  readonly app: OpenAPIHono<RouteEnv>;
  readonly routes: readonly MountedRoute[];
}

/**
 * Mounts the endpoints under /api/v1. Whoever may call a route is checked before anything of the request is read;
 * a route that does not say who may, cannot be written.
 */
export function createApp(endpoints: readonly Endpoint[], deps: AppDeps): App {
  const app = new OpenAPIHono<RouteEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const issue = result.error.issues[0];
      const field = issue?.path.join('.') ?? '';
      throw new CodedError(
        'request.invalid',
        'permanent',
        `${field || result.target}: ${issue?.message ?? 'is not right'}`,
        {
          detail: { field, in: result.target },
        },
      );
    },
  });
  app.use(secureHeaders());
  const limitOf = (maxSize: number) =>
    bodyLimit({
      maxSize,
      onError: (c) => {
        // The rest of the body is not read: nothing else can come on this connection.
        c.header('connection', 'close');
        return answer(c, new CodedError('request.too_large', 'permanent', `a body may have ${maxSize} bytes`));
      },
    });
  const limit = limitOf(MAX_BODY);
  app.onError((error, c) => {
    const coded = asRequestError(error);
    if (!(coded instanceof CodedError)) deps.onError(error, `${c.req.method} ${c.req.path}`);
    return answer(c, coded);
  });
  app.notFound((c) =>
    answer(c, new CodedError('route.not_found', 'permanent', `there is no ${c.req.method} ${c.req.path}`)),
  );
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });

  const routes: MountedRoute[] = [];
  for (const { route, access, handler, maxBytes } of endpoints) {
    const path = `${BASE}${route.path}`;
    routes.push({ method: route.method.toUpperCase(), path, access });
    app.openapi(
      {
        ...route,
        path,
        middleware: [guard(access, deps), maxBytes === undefined ? limit : limitOf(maxBytes)],
        responses: { ...(access === 'public' ? {} : DENIED), ...REFUSED, ...route.responses },
        ...(access === 'public' ? {} : { security: [{ bearer: [] }], 'x-permission': access }),
      } as typeof route,
      handler,
    );
  }
  app.doc31(`${BASE}/openapi.json`, {
    openapi: '3.1.0',
    info: { title: 'Signalbox', version: '0.1.0', license: { name: 'Apache-2.0' } },
  });
  app.get(`${BASE}/docs`, (c) => c.html(docsPage(routes)));
  return { app, routes };
}

const DENIED = {
  401: jsonAnswer(errorSchema, 'No key, or one that is unknown, expired or revoked'),
  403: jsonAnswer(errorSchema, 'The role may not do this'),
};
const REFUSED = { 422: jsonAnswer(errorSchema, 'The request is not as it should be: the detail names the field') };

function guard(access: Endpoint['access'], deps: AppDeps): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    if (access !== 'public') {
      const { id, name } = await admit(c.req.header('authorization'), access, deps.identify);
      c.set('caller', { id, name });
    }
    await next();
  };
}

/**
 * SQLSTATEs of values that the database cannot hold: a NUL character, half a surrogate, a number or time out of range.
 * Routes check what they know of; this is for the rest, in whichever part of a request it stood.
 */
const UNSTORABLE = /^22(001|003|007|008|009|021|P02|P05)$/;

/** What the framework throws about a body it cannot read is the caller's mistake, not ours. */
function asRequestError(error: unknown): unknown {
  if (error instanceof CodedError) return error;
  if (error instanceof z.ZodError) return new CodedError('request.invalid', 'permanent', z.prettifyError(error));
  const status = (error as { status?: unknown } | null)?.status;
  if (status === 400) return new CodedError('request.malformed', 'permanent', 'the body cannot be read as JSON');
  if (status === 415) return new CodedError('request.unsupported', 'permanent', 'a body is sent as application/json');
  if (UNSTORABLE.test(sqlState(error) ?? '')) {
    return new CodedError('request.invalid', 'permanent', 'a value of the request cannot be stored', { cause: error });
  }
  return error;
}

function answer(c: Context, error: unknown): Response {
  const { status, body } = errorAnswer(error);
  return c.json(body, status as 400);
}

function docsPage(routes: readonly MountedRoute[]): string {
  const rows = routes
    .map(({ method, path, access }) => `<tr><td>${method}</td><td><code>${path}</code></td><td>${access}</td></tr>`)
    .join('\n');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Signalbox API</title>
<style>body{font:15px system-ui;margin:2rem auto;max-width:60rem}td,th{padding:.25rem .75rem;text-align:left}</style>
<h1>Signalbox API</h1><p>Bodies and answers: <a href="${BASE}/openapi.json">openapi.json</a>. Keys go into
<code>Authorization: Bearer …</code>.</p><table><tr><th>Method</th><th>Route</th><th>Who</th></tr>${rows}</table></html>`;
}
