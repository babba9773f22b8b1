import { hexBytes } from "./document-fields";
import { MAX_SIGNATURE_LENGTH } from "./signature";

/**
 * A wallet's signature, in whatever form its contract takes it (ERC-1271). Never empty: the ledger would take the
 * sender, a relayer, for the signer.
 */
export const anySignature = hexBytes(1, MAX_SIGNATURE_LENGTH);
