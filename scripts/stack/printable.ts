import { EnvError } from "@/lib/base/env-secrets";
import { StackError } from "./config";

/** Codes of an address that leads nowhere, and of a PostgreSQL that refuses the role or has no such database. */
const NOT_LET_IN =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|28...|3D000|57P03)$/;

/** Returns what a command prints of an error: the reason alone where its user can mend it, otherwise all of the error. */
export function printable(error: unknown): unknown {
  if (error instanceof EnvError || error instanceof StackError) return error.message;
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = "code" in one ? String(one.code) : "";
    if (NOT_LET_IN.test(code)) {
      return `A connection failed. Check the addresses in the environment: ${one.message || code}`;
    }
  }
  return error;
}
