import { getAddress } from "viem";
import type { Network } from "@/lib/base/network";
import { HalcyonError } from "../api/errors";
import { Http } from "../api/http";
import { fetchNetworkInfo } from "../api/network-info";
import type { Halcyon } from "../client";
import { DEFAULT_URL } from "../context/platform/node-context";
import { parseViewingKey } from "../context/viewing/viewer";
import { type Access, addressOfWallet } from "./environment";
import { fields } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

/** A credential in use and the account it belongs to; never the credential itself. */
interface Credential {
  kind: "wallet" | "viewing_key" | "api_key";
  /** Null for a wallet without an account on this network, and for a viewing key, which only names an address. */
  handle: string | null;
  address: string;
  account_id: string | null;
  type: string | null;
  kyc_status: string | null;
  /** Only for an API key. */
  key_id?: string;
  /** What an API key may do; null means everything. */
  scopes?: readonly string[] | null;
}

interface Whoami {
  /**
   * From the first credential that names an account. Most commands that accept both a wallet and an API key use the
   * wallet.
   */
  handle: string | null;
  address: string;
  credential: Credential["kind"];
  credentials: Credential[];
  network: string;
  chain_id: number;
  ledger: string;
  url: string;
}

const NAMES = { wallet: "wallet", viewing_key: "viewing key", api_key: "API key" };
const NO_ACCOUNT = { handle: null, account_id: null, type: null, kyc_status: null };

async function ofWallet(client: Halcyon, address: string): Promise<Credential> {
  try {
    const { handle, account_id, type, kyc_status, public_key } = await client.account.getByWallet();
    return { kind: "wallet", handle, address: public_key, account_id, type, kyc_status };
  } catch (error) {
    if (!(error instanceof HalcyonError && error.code === "not_found")) throw error;
    return { kind: "wallet", address, ...NO_ACCOUNT };
  }
}

const ofViewingKey = async (text: string, network: Network): Promise<Credential> => ({
  kind: "viewing_key",
  address: getAddress(parseViewingKey(text, network).account),
  ...NO_ACCOUNT,
});

async function ofApiKey(client: Halcyon): Promise<Credential> {
  const { handle, account_id, type, kyc_status, public_key, key } = await client.account.get();
  return { kind: "api_key", handle, address: public_key, account_id, type, kyc_status, ...key };
}

async function whoami(client: Halcyon, { settings }: Access): Promise<Whoami> {
  const { walletKey, viewingKey, apiKey, url = DEFAULT_URL, network = "test" } = settings;
  if (!walletKey && !viewingKey && !apiKey) {
    throw new HalcyonError(
      "unauthorized",
      "There is neither a wallet nor an API key. Create a wallet with `halcyon wallet new`, or set HALCYON_API_KEY.",
    );
  }
  const [info, ...credentials] = await Promise.all([
    fetchNetworkInfo(new Http(url), network),
    ...(walletKey ? [ofWallet(client, addressOfWallet(walletKey))] : []),
    ...(viewingKey ? [ofViewingKey(viewingKey, network)] : []),
    ...(apiKey ? [ofApiKey(client)] : []),
  ]);
  const first = credentials.find((each) => each.handle !== null) ?? (credentials[0] as Credential);
  const { chainId, ledger } = info;
  const { handle, address, kind } = first;
  return { handle, address, credential: kind, credentials, network, chain_id: chainId, ledger, url };
}

const showCredential = ({ kind, handle, address, type, kyc_status, key_id, scopes }: Credential) =>
  fields({
    credential: NAMES[kind],
    handle: handle ?? (kind === "wallet" ? "none yet: create one with `halcyon signup`" : null),
    address,
    type,
    identity: kyc_status,
    key: key_id,
    "may do": key_id && (scopes?.join(", ") ?? (type === "agent" ? "everything within its policy" : "everything")),
  });

function show({ credentials, network, chain_id, ledger, url }: Whoami): string {
  const handles = new Set(credentials.map(({ handle }) => handle).filter((handle) => handle !== null));
  const warning =
    handles.size > 1
      ? ["Wallet and API key belong to different accounts: `send` pays with the API key, most others use the wallet."]
      : [];
  return [
    ...credentials.map(showCredential),
    fields({ network: `${network} (chain ${chain_id})`, ledger, service: url }),
    ...warning,
  ].join("\n\n");
}

/** `whoami`. */
export const whoamiCommands: AddCommand = (program, reports) => {
  const command = withExamples(
    program
      .command("whoami")
      .description("show whose credentials are in use, on which network and service; prints no secret"),
    "whoami",
    "whoami --field handle",
  );
  command.action(() => reports.withClient(command, whoami, show));
};
