/** Error codes of the OAuth endpoints (RFC 6749, 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
type OAuthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** An error response of an OAuth endpoint. Its description is for developers and quotes nothing of the request. */
export class OauthError extends Error {
  override readonly name = "OauthError";
  readonly status: number;

  constructor(
    readonly code: OAuthCode,
    readonly description: string,
  ) {
    super(code);
    this.status = code === "invalid_client" ? 401 : 400;
  }
}
