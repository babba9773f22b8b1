import { type Address, isAddressEqual, zeroAddress } from "viem";
import { written } from "@/components/ui/amount";
import { formatAmount } from "@/lib/base/money";
import type { BackupReason, SignatureRequest } from "./signature-request";

/** What a signature is for, in words for the person whose wallet is about to ask. */
export interface Purpose {
  title: string;
  /** One or two sentences. */
  sentence: string;
}

/** The purpose of the sign-in, whose text the wallet itself shows (ERC-4361). */
export const SIGN_IN: Purpose = {
  title: "Sign in",
  sentence: "Your wallet signs a short text that proves the address is yours. It costs nothing and moves nothing.",
};

type Message = Readonly<Record<string, unknown>>;

/** If one struct can do two things, the message decides which. */
type PurposeOf = Purpose | ((message: Message, own: boolean) => Purpose);

/** By EIP-712 primary type: the ledger's structs (docs/protocol.md section 4), the unlock message and EIP-3009. */
const PURPOSES: Record<string, PurposeOf> = {
  Unlock: {
    title: "Create your account's key",
    sentence:
      "This signature encrypts the key to your amounts, so that only your wallet can decrypt it again. Your wallet asks twice.",
  },
  Enroll: {
    title: "Enroll your account",
    sentence: "This registers your account's public key on the ledger. From then on others can pay you privately.",
  },
  EnrollAgent: {
    title: "Register an agent",
    sentence: "This makes the new agent yours on the ledger: its money always comes back to you.",
  },
  // A rotation, which replaces it, says so itself (components/settings/emergency/rotation-to-sign.ts).
  SetPaymentKey: ({ paymentKey }) =>
    paymentKey === zeroAddress
      ? {
          title: "Stop all signing",
          sentence:
            "From then on only this wallet signs for your account, until you rotate the account secret. It moves nothing.",
        }
      : {
          title: "Renew the payment key",
          sentence: "This lets your keys sign payments for another year. Keys, balances and agents stay as they are.",
        },
  Abandon: {
    title: "Give up a balance",
    sentence: "This sets a balance that no one can decrypt any more to zero. Its money is lost.",
  },
  SetPolicy: ({ limited }, own) => {
    if (limited === false) {
      return {
        title: "Remove the limits of your keys",
        sentence: "From then on your API keys pay from all of your available balance. This itself pays nothing.",
      };
    }
    const title = own ? "Set the limits of your keys" : "Set the agent's policy";
    return { title, sentence: `This sets the limits that the chain enforces. ${FINGERPRINT}` };
  },
  ConnectApplication: ({ application, access, lasts }) => ({
    title: "Connect an application",
    sentence: `This lets “${application}” ${access === "read" ? "read what this agent did" : "pay from this agent, within its policy,"} for ${lasts}. Compare the address it sends you to.`,
  }),
  SetGuarded: ({ guarded }) =>
    guarded === false
      ? {
          title: "Turn Guard off",
          sentence:
            "From then on your API keys can change the policies of your agents and move money between you and them.",
        }
      : {
          title: "Turn Guard on",
          sentence:
            "From then on only this wallet changes policies and moves money between you and your agents. It moves nothing.",
        },
  SetAgentSigner: ({ signers }) =>
    Array.isArray(signers) && signers.every((signer) => BigInt(signer as string) === 0n)
      ? {
          title: "End an agent",
          sentence:
            "From then on neither the agent nor an approval of yours pays from its balance. Its money stays yours.",
        }
      : {
          title: "Replace an agent's key",
          sentence: "This gives the agent a new signing key on the ledger. Its earlier key signs nothing any more.",
        },
  MakeAvailable: {
    title: "Change the available balance",
    sentence: "This changes how much of your money API keys may spend. The amount stays encrypted; nothing is paid.",
  },
  Transfer: { title: "Pay", sentence: "This pays from your available balance. The amount stays encrypted on chain." },
  TransferMany: {
    title: "Pay several recipients",
    sentence:
      "This makes all of these payments from your available balance, or none. Each amount stays encrypted on chain.",
  },
  Spend: {
    title: "Pay beyond the limits",
    sentence:
      "With your wallet's signature, this payment is made whatever the policy says. The amount stays encrypted on chain.",
  },
  SpendPublic: {
    title: "Withdraw beyond the limits",
    sentence:
      "With your wallet's signature, this public payment is made whatever the policy says: anyone can see amount and recipient.",
  },
  Release: {
    title: "Withdraw",
    sentence: "This is a public payment from your available balance: anyone can see amount and recipient on chain.",
  },
  Fund: {
    title: "Move money to or from an agent",
    sentence: "This moves an encrypted amount between your available balance and your agent's.",
  },
  ReceiveWithAuthorization: ({ value }) => {
    const amount = value === undefined ? "this amount" : `${written(formatAmount(BigInt(value as bigint), 6))} USDG`;
    return {
      title: "Deposit",
      sentence: `This lets the ledger take ${amount} from your wallet into your account. Deposits are public.`,
    };
  },
};

/** A wallet shows a policy only as two hashes. */
const FINGERPRINT =
  "Your wallet shows a fingerprint of the policy, not its rules: sign only what you have just saved on this page.";

const BACKUP: Record<BackupReason, Purpose> = {
  "back-up": {
    title: "Decrypt your key for the backup",
    sentence:
      "This signature of your account's wallet decrypts its key once more, so that a copy of it can be encrypted.",
  },
  "encrypt-copy": {
    title: "Encrypt the copy for another wallet",
    sentence:
      "Connect the wallet that will decrypt the backup. Its signature encrypts the copy; it moves no money and doesn't sign " +
      "you in. You sign it twice.",
  },
  "encrypt-copy-again": {
    title: "The same signature, once more",
    sentence:
      "This makes sure that the other wallet always signs the same text the same way, so that it can decrypt the copy later.",
  },
  "open-copy": {
    title: "Decrypt the backup",
    sentence:
      "Connect the wallet this backup was made for. Its signature decrypts the copy in this tab, and nothing else.",
  },
};

/** Returns whether a wallet other than the account's has to sign. */
export function isForAnotherWallet(request: SignatureRequest): boolean {
  return request.kind === "typed-data" && request.reason !== undefined && request.reason !== "back-up";
}

function isOwn({ account }: Message, owner: Address | undefined): boolean {
  return owner !== undefined && typeof account === "string" && isAddressEqual(account as Address, owner);
}

const UNLOCK_AGAIN: Purpose = {
  title: "The same signature, once more",
  sentence:
    "This makes sure that your wallet always signs the same text the same way: a wallet that does not could never unlock your account again.",
};

const UNLOCK_TO_ROTATE: Purpose = {
  title: "Decrypt your key for the rotation",
  sentence:
    "This signature of your account's wallet decrypts its key once more, from which the next account secret is derived.",
};

/** What is known about the signing request. */
interface Asked {
  /** Whether it is of a rotation of the account secret. */
  rotates?: boolean;
  /**
   * Whether it is not the first signature of this vault; the unlock message is signed twice when a key is encrypted.
   */
  again?: boolean;
  /** The account's address, to distinguish its own policy from an agent's. */
  owner?: Address;
}

/** Returns whether a run asks for the signature that it has just got, to see that the wallet gives the same one. */
export function isRepeat({
  signature,
  again,
  rotates,
}: {
  signature: SignatureRequest;
  again: boolean;
  rotates: boolean;
}) {
  return (
    again && !rotates && signature.kind === "typed-data" && !signature.reason && signature.data.primaryType === "Unlock"
  );
}

/** Returns the purpose of a signature that a method requests. */
export function purposeOf(request: SignatureRequest, { again = false, owner, rotates = false }: Asked = {}): Purpose {
  if (request.kind === "transaction") {
    return {
      title: "Deposit from your wallet",
      sentence: "Your wallet sends a transaction of its own and pays its gas. Deposits are public.",
    };
  }
  if (request.kind === "message") return SIGN_IN;
  if (request.reason) return BACKUP[request.reason];
  if (rotates && request.data.primaryType === "Unlock") return UNLOCK_TO_ROTATE;
  if (isRepeat({ signature: request, again, rotates })) return UNLOCK_AGAIN;
  const known = PURPOSES[request.data.primaryType];
  if (typeof known === "function") return known(request.data.message, isOwn(request.data.message, owner));
  if (known) return known;
  // A type without an explanation must not be signed.
  throw new Error(`there is no sentence for ${request.data.primaryType}`);
}
