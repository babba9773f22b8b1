import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { type CheckedDisclosure, type Checking, checkDisclosure } from "./check-disclosure";
import { openShared, readDisclosureLink, type SharedDisclosure } from "./open-shared";

/** Opens a view by its link and compares each payment with the chain. Implements `disclosures.verify`. */
export async function verifyDisclosure(
  context: Context,
  link: string,
  checking: Checking = {},
): Promise<CheckedDisclosure> {
  const { id, key } = readDisclosureLink(link);
  const [info, chain] = await Promise.all([context.info(), context.chain()]);
  const shared = (await context.http.send("GET", `/api/views/${id}`)).body as SharedDisclosure;
  if (shared.network !== info.network) {
    throw new HalcyonError("invalid_request", `This view is of the ${shared.network} network, not of ${info.network}.`);
  }
  return checkDisclosure(await openShared(shared, key, info), info, chain, checking);
}
