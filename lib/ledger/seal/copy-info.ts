import { concat, utf8 } from "../crypto/bytes";
import { type CommitmentRef, commitmentRefBytes } from "../crypto/scope";

/** The HPKE info of every copy: the format, a role, and the place of the commitment it opens. */
export function copyInfo(role: "recipient" | "payer" | "batch" | "memo", ref: CommitmentRef): Uint8Array {
  return concat(utf8(`halcyon/2/hpke/${role}`), commitmentRefBytes(ref));
}
