import { ApiError } from "@/lib/base/errors";
import { normaliseHandle } from "@/lib/base/handle";

/**
 * Returns a handle as it is stored (see {@link normaliseHandle}). Not in its file, which clients contain.
 *
 * @throws ApiError `invalid_request` naming `handle`, with the rule in its message
 */
export function requireHandle(text: string): string {
  const handle = normaliseHandle(text);
  if (handle !== null) return handle;
  throw new ApiError(
    "invalid_request",
    "A handle has 3 to 63 of the letters a-z, digits, - and _, with a letter or digit at both ends; a domain's has dots.",
    { param: "handle" },
  );
}
