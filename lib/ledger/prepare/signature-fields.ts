import { hexBytes } from "./document-fields";
import { MAX_SIGNATURE_LENGTH } from "./signature";

/**
 * A wallet's signature, in any form that its contract accepts (ERC-1271). Never empty, because the ledger would take
 * the sender, a relayer, for the signer.
 */
export const anySignature = hexBytes(1, MAX_SIGNATURE_LENGTH);
