import type { ChainId } from "@/lib/base/network";

/** A request with an API key, as its owner sees it. */
export interface LoggedRequest {
  /** The `X-Request-Id` of the response, which contains its time. */
  id: string;
  rootId: string;
  chainId: ChainId;
  keyId: string;
  method: string;
  /** The path's template, such as `/v1/transfers/{transfer_id}`. */
  route: string;
  status: number;
  errorCode: string | null;
  durationMs: number;
}

interface Unwritten {
  list: LoggedRequest[];
  timer?: NodeJS.Timeout;
  /** Resolves when the last requested write has ended. */
  writing?: Promise<void>;
}

// Next.js bundles routes separately, so a module variable would give one list per bundle. A global gives one per
// process.
const shared = globalThis as typeof globalThis & { halcyonRequests?: Unwritten };

/** Returns the process's requests that are not stored yet. */
export function unwrittenRequests(): Unwritten {
  shared.halcyonRequests ??= { list: [] };
  return shared.halcyonRequests;
}
