/**
 * Every path under /v1 with its methods. The server in front refuses all others before Next would, which answers
 * them without a body or in HTML. A test compares this table with `app/v1`.
 */
export const V1_ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/v1/accounts/me": ["GET"],
  "/v1/accounts/me/balances": ["GET", "POST"],
  "/v1/transfers": ["GET", "POST"],
  "/v1/transfers/{transfer_id}": ["GET"],
};

const MATCHERS = Object.entries(V1_ROUTES).map(([pattern, methods]) => ({
  expression: new RegExp(`^${pattern.replace(/\{[a-z_]+\}/g, "[^/]+")}$`),
  methods,
}));

/** The methods of a path (without query), or undefined when there is no such path. */
export function methodsOf(path: string): readonly string[] | undefined {
  return MATCHERS.find(({ expression }) => expression.test(path))?.methods;
}
