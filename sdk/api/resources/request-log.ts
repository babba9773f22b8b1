/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** A request with an API key: never its query, its body, an amount or a key. */
export interface LoggedRequest {
  /** The `X-Request-Id` of the response. */
  request_id: string;
  /** When the request arrived. */
  created_at: string;
  /** The API key, or the access token of an application. */
  key_id: string;
  /** The key's label, or the application's name; null if neither is there any more. */
  key_label: string | null;
  /** The HTTP method. */
  method: string;
  /** The path as a template, without ids. */
  route: string;
  /** The HTTP status of the response. */
  status: number;
  /** The error's `code`; null if the request succeeded. */
  error_code: string | null;
  /** How long the service took, in milliseconds. */
  duration_ms: number;
}

/** Requests with the account's API keys, newest first. */
export interface LoggedRequestList {
  /** The requests of this page. */
  requests: LoggedRequest[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}
