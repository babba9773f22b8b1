import { concat, utf8 } from "../crypto/bytes";
import { type CommitmentRef, commitmentRefBytes } from "../crypto/scope";

/** Returns the HPKE info of a copy: the format, a role, and the reference of the commitment that the copy opens. */
export function copyInfo(role: "recipient" | "payer" | "batch" | "memo", ref: CommitmentRef): Uint8Array {
  return concat(utf8(`halcyon/2/hpke/${role}`), commitmentRefBytes(ref));
}
