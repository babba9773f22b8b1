import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import type { Network } from "@/lib/base/network";
import type { OwnAccount } from "@/sdk/api/api-types";

const PATH = "/v1/accounts/me";
const QUERY = { include: "ledger" };

/** Returns the account with its settings: at first as the page was rendered, then kept current. */
export function useOwnAccount(initial: OwnAccount): OwnAccount {
  const { data = initial } = useResource<OwnAccount>(PATH, { query: QUERY, initial });
  return data;
}

/** The key of the account with its settings in the cache of queries. */
export const ownAccountKey = (network: Network) => resourceKeys.one(network, PATH, QUERY);
