import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { type CheckedSharedView, type Checking, checkSharedView } from "./check-shared-view";
import { decryptShared, type EncryptedSharedView, readSharedViewLink } from "./decrypt-shared";

/** Opens a view by its link and compares each payment with the chain. Implements `sharedViews.verify`. */
export async function verifySharedView(
  context: Context,
  link: string,
  checking: Checking = {},
): Promise<CheckedSharedView> {
  const { id, key } = readSharedViewLink(link);
  const [info, chain] = await Promise.all([context.info(), context.chain()]);
  const shared = (await context.http.send("GET", `/api/views/${id}`)).body as EncryptedSharedView;
  if (shared.network !== info.network) {
    throw new HalcyonError("invalid_request", `This view is of the ${shared.network} network, not of ${info.network}.`);
  }
  return checkSharedView(await decryptShared(shared, key, info), info, chain, checking);
}
