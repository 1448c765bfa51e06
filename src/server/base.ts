/** The path below which the API lies. */
export const BASE = '/api/v1';
