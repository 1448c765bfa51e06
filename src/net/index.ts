export type { HttpClient, HttpClientOptions, HttpRequest, HttpResponse, RequestLimits } from './client-types.ts';
export type { ResolvedAddress, Resolver } from './guarded-connect.ts';
export { createHttpClient } from './http-client.ts';
export { refusedRange } from './refused-address.ts';
