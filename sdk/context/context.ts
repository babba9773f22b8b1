import { type Address, isAddressEqual } from "viem";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { Signer } from "@/lib/ledger/prepare/key-signer";
import { walletSigner } from "@/lib/ledger/prepare/signature";
import type { Prove } from "@/lib/ledger/prepare/witness";
import type { ViewingCredential } from "@/lib/ledger/seal/viewing-key";
import type { Network } from "@/lib/network";
import type { Prover } from "@/lib/prover/prover";
import { AbortableCall } from "../api/abortable-call";
import type { OwnAccount } from "../api/api-types";
import type { Call } from "../api/call";
import type { CallOptions } from "../api/call-options";
import { checkApiKey } from "../api/check-api-key";
import { HalcyonError } from "../api/errors";
import type { Http } from "../api/http";
import {
  type Asset,
  assetOf,
  fetchNetworkInfo,
  type NetworkDocument,
  type NetworkInfo,
  readNetworkInfo,
} from "../api/network-info";
import { type Shared, share } from "../api/share";
import { Chain } from "../chain/chain";
import type { Wallet } from "../chain/wallet";
import { Session } from "../session/session";
import type { SessionCalls } from "../session/session-calls";
import { needsRecoveryCode, unlock, type Vault } from "../vault/vault";
import { onlyReads } from "../viewing/read-only-http";
import { requireOwnViewer, type Viewer } from "../viewing/viewer";
import type { KeyContext } from "./key-context";
import type { Pins } from "./pins";
import { requireInForce } from "./require-in-force";

/** Makes and checks proofs. */
export type ProofMachine = Pick<Prover, "prove" | "verify">;

/** What a client is made of. `nodeContext` fills in what a Node program has. */
export interface ContextOptions {
  http: Http;
  network: Network;
  pins: Pins;
  wallet?: Wallet | undefined;
  /** `hc_test_…` or `hc_live_…`. */
  apiKey?: string | undefined;
  /** Decrypts the account's key in place of the wallet's signature: of a contract wallet. */
  recoveryCode?: string | undefined;
  /** Reads amounts without the wallet. */
  viewing?: ViewingCredential | undefined;
  /** The session routes; a session of the wallet's own, signed in to at first use, when left out. */
  session?: SessionCalls;
  /** What the service says of the network, where it has just said it: of a page that it has rendered. */
  described?: NetworkDocument | undefined;
  /** JSON-RPC address of your own; the service's recommendation when left out. */
  rpcUrl?: string | undefined;
  /** Seconds the service has to send a call of the wallet before the wallet sends it itself; 120 when left out. */
  relayPatience?: number | undefined;
  /** Seconds that what is signed here may wait for a block. */
  expirySeconds?: number;
  /** Loads what makes and checks the proofs, at the first of them. */
  loadProver: () => Promise<ProofMachine>;
}

/** Makes what a command needs when it needs it, each thing once. Runs in Node and in a browser's worker alike. */
export class Context implements KeyContext {
  readonly http: Http;
  readonly network: Network;
  readonly pins: Pins;
  /** What bounds the requests and waits of this call; of a client, of all its calls. */
  readonly call: Call;
  private chainOfCall: Chain | undefined;

  constructor(
    private readonly options: ContextOptions,
    call: Call = options.http.call,
    private readonly made = new Map<string, Shared<unknown>>(),
  ) {
    this.call = call;
    this.http = options.http.within(call);
    this.network = options.network;
    this.pins = options.pins;
  }

  /** The same client for one call with options of its own. */
  within(options: CallOptions | undefined): Context {
    if (options === undefined) return this;
    return new Context(this.options, new AbortableCall(options, this.call), this.made);
  }

  /** How long the service may take to send a call of the wallet. */
  get relayPatienceMs(): number {
    return 1000 * (this.options.relayPatience ?? 120);
  }

  get hasWallet(): boolean {
    return this.options.wallet !== undefined;
  }

  /** Whether the chain is read over an RPC of the caller's own, not over the one the service names. */
  get hasOwnRpc(): boolean {
    return this.options.rpcUrl !== undefined;
  }

  get hasApiKey(): boolean {
    return this.options.apiKey !== undefined;
  }

  /** Whether amounts are read with a viewing key in place of the wallet. */
  get isViewOnly(): boolean {
    return this.options.viewing !== undefined;
  }

  /** The wallet. Throws `unauthorized` when there is none, `key_forbidden` for a client that only reads. */
  get wallet(): Wallet {
    const { wallet } = this.options;
    if (wallet) return wallet;
    if (this.isViewOnly) throw onlyReads();
    throw new HalcyonError(
      "unauthorized",
      "This needs the wallet. Create the client with the option walletKey or wallet.",
      { param: "walletKey" },
    );
  }

  /** What decrypts the account's key in place of the wallet's signature. */
  get recoveryCode(): string | undefined {
    return this.options.recoveryCode;
  }

  /** Whether the wallet is a contract, whose signers may take their time. */
  async isContract(): Promise<boolean> {
    const { address, isContract } = this.wallet;
    if (isContract !== undefined) return isContract;
    return this.once("contract", async () => (await this.chain()).isContract(address));
  }

  /** Signs ledger calls with the wallet, whether it is a key or a contract. */
  signer(): Signer {
    const { wallet } = this;
    // The spread gives viem the plain record it wants of any of the ledger's messages.
    return walletSigner(wallet.address, (data) => wallet.signTypedData({ ...data, message: { ...data.message } }));
  }

  /** Throws `unauthorized` when there is none, or one of the other network. */
  get apiKey(): string {
    return checkApiKey(this.options.apiKey, this.network);
  }

  get bearer(): Record<string, string> {
    return { authorization: `Bearer ${this.apiKey}` };
  }

  async session(): Promise<SessionCalls> {
    const { session } = this.options;
    const own = await this.once("session", async () => session ?? new Session(this.http, this.wallet, this.network));
    return own.over(this.http);
  }

  info(): Promise<NetworkInfo> {
    return this.once("info", async () => {
      const { described } = this.options;
      const info = described
        ? readNetworkInfo(this.http, this.network, described)
        : await fetchNetworkInfo(this.http, this.network);
      await this.pins.checkLedger(this.http.baseUrl, info);
      return info;
    });
  }

  async asset(symbol = "USDG"): Promise<Asset> {
    return assetOf(await this.info(), symbol);
  }

  async chain(): Promise<Chain> {
    const { ledger, rpcUrl } = await this.info();
    const { expirySeconds } = this.options;
    this.chainOfCall ??= new Chain(
      this.options.rpcUrl ?? rpcUrl,
      ledger.toLowerCase() as Address,
      expirySeconds,
      this.call,
    );
    return this.chainOfCall;
  }

  /** The ledger as the chain itself shows it; throws when the service describes another. */
  scope(): Promise<Scope> {
    return this.once("scope", async () => {
      const [info, chain] = await Promise.all([this.info(), this.chain()]);
      const scope = await chain.scope();
      if (scope.chainId === info.chainId && scope.domainSalt === info.domainSalt.toLowerCase()) return scope;
      throw new HalcyonError("unavailable", "The service and the chain describe different ledgers. Do not go on.");
    });
  }

  /**
   * That an address is an agent of the wallet's. Its owner is written once and for good: it is asked of the chain once.
   *
   * @param handle for the message
   * @throws HalcyonError `unavailable` where the ledger does not have it as such
   */
  requireOwnAgent(agent: Address, handle: string): Promise<void> {
    return this.once(`agent ${agent}`, async () => {
      const { owner } = await (await this.chain()).account(agent);
      if (isAddressEqual(owner, this.wallet.address)) return;
      throw new HalcyonError("unavailable", `The ledger does not have ${handle} as your agent yet. Try again soon.`);
    });
  }

  async account(): Promise<OwnAccount> {
    return (await this.session()).get<OwnAccount>("/api/accounts/me");
  }

  /**
   * What reads amounts and memos: the given viewing key, compared with the ledger, else the wallet's.
   *
   * @throws HalcyonError `invalid_request` for a viewing key of another account or ledger
   */
  viewer(): Promise<Viewer> {
    return this.once("viewer", async () => {
      const { viewing } = this.options;
      if (!viewing) {
        const { viewingKey } = await this.vault();
        return { account: this.wallet.address.toLowerCase() as Address, viewingKey };
      }
      const me = this.hasApiKey && this.http.send("GET", "/v1/accounts/me", { headers: this.bearer });
      const [chain, whoami] = await Promise.all([this.chain(), me, this.scope()]);
      const { public_key: caller } = (whoami ? whoami.body : {}) as { public_key?: Address };
      await requireOwnViewer(chain, viewing, caller);
      return viewing;
    });
  }

  /** What decrypts payments awaiting approval, and approves none; null without a viewing key. */
  get heldReader(): Uint8Array | null {
    return this.options.viewing?.held.secret ?? null;
  }

  /** The account's keys, unlocked with the wallet: viewing key and spender are those of the ledger. */
  vault(): Promise<Vault> {
    return this.once("vault", async () => {
      const reading = this.chain().then((chain) => chain.viewingKey(this.wallet.address));
      const [account, scope, registered] = await Promise.all([this.account(), this.scope(), reading]);
      if (!registered || !account.sealed_root) {
        throw new HalcyonError("not_found", `This wallet is not enrolled on the ${this.network} network. Run signup.`);
      }
      const { sealed_root: sealed, secret_version: version } = account;
      const unlocked = unlock(this.wallet, scope, sealed, registered, version, this.recoveryCode);
      const vault = await unlocked.catch(async (error: unknown) => {
        const byWallet = error instanceof UnsealFailed && this.recoveryCode === undefined;
        throw byWallet && (await this.isContract()) ? needsRecoveryCode() : error;
      });
      await requireInForce(this, vault);
      return vault;
    });
  }

  /** Remembers the keys of an account that has just been enrolled here, so that its wallet need not sign again. */
  keepVault(vault: Vault): void {
    this.made.set("vault", { work: Promise.resolve(vault) });
  }

  /** Remembers what reads amounts, compared with the ledger already: reading then asks no wallet. */
  keepViewer(viewer: Viewer): void {
    this.made.set("viewer", { work: Promise.resolve(viewer) });
  }

  /** Makes proofs; an aborted call does not wait for the end of one. */
  async prover(): Promise<Prove> {
    const machine = await this.once("prover", this.options.loadProver);
    return (circuit, input) => this.call.whileWanted(machine.prove(circuit, input));
  }

  /** Checks proofs; an aborted call does not wait for the end of one. */
  async verifier(): Promise<ProofMachine["verify"]> {
    const machine = await this.once("prover", this.options.loadProver);
    return (circuit, proof, signals) => this.call.whileWanted(machine.verify(circuit, proof, signals));
  }

  /** What all calls of a client share. */
  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const shared = (this.made.get(name) ?? {}) as Shared<T>;
    this.made.set(name, shared);
    return share(this.call, shared, make);
  }
}
