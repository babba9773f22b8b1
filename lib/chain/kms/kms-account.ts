import { secp256k1 } from "@noble/curves/secp256k1.js";
import {
  type Address,
  type Hex,
  hashMessage,
  hashTypedData,
  isAddressEqual,
  keccak256,
  recoverAddress,
  serializeTransaction,
} from "viem";
import { type LocalAccount, publicKeyToAddress, toAccount } from "viem/accounts";
import { z } from "zod";
import { type KmsEnv, kmsEnv } from "@/lib/base/kms-env";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { callKms, KmsFailed } from "./aws-kms";

/** The bytes before the 65 bytes of a secp256k1 key in its SubjectPublicKeyInfo (RFC 5480). */
const SPKI = "3056301006072a8648ce3d020106052b8104000a034200";

const base64 = z.string().transform((text) => new Uint8Array(Buffer.from(text, "base64")));
const PublicKey = z.object({ PublicKey: base64, KeySpec: z.literal("ECC_SECG_P256K1") });
const Signed = z.object({ Signature: base64 });

/**
 * Returns an account whose key never leaves the KMS (ECC_SECG_P256K1, SIGN_VERIFY). Each signature is a call of the
 * KMS, so never sign inside a database transaction.
 *
 * @param keyId id, ARN or alias of the key
 * @throws KmsFailed if the key does not exist or is of another kind
 */
export async function kmsAccount(keyId: string, kms: KmsEnv = kmsEnv()): Promise<LocalAccount> {
  const { PublicKey: spki } = await callKms("GetPublicKey", { KeyId: keyId }, PublicKey, kms);
  const text = toHex(spki).slice(2);
  if (!text.startsWith(SPKI)) throw new KmsFailed("GetPublicKey", "a key of another curve");
  const address = publicKeyToAddress(`0x${text.slice(SPKI.length)}`);
  const sign = ({ hash }: { hash: Hex }) => signDigest(keyId, address, hash, kms);
  return toAccount({
    address,
    sign,
    signMessage: ({ message }) => sign({ hash: hashMessage(message) }),
    signTypedData: (data) => sign({ hash: hashTypedData(data) }),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const signature = await sign({ hash: keccak256(await serializer(transaction)) });
      const [r, s]: Hex[] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`];
      return serializer(transaction, { r: r ?? "0x", s: s ?? "0x", yParity: Number(`0x${signature.slice(130)}`) - 27 });
    },
  }) as LocalAccount;
}

/**
 * Signs a digest and returns r, s and v. The KMS returns DER without v, and an s from either half of the curve's order.
 */
async function signDigest(keyId: string, address: Address, hash: Hex, kms: KmsEnv): Promise<Hex> {
  const request = {
    ...{ KeyId: keyId, Message: Buffer.from(fromHex(hash)).toString("base64") },
    ...{ MessageType: "DIGEST", SigningAlgorithm: "ECDSA_SHA_256" },
  };
  const { Signature: der } = await callKms("Sign", request, Signed, kms);
  const { r, s } = secp256k1.Signature.fromBytes(der, "der");
  // EIP-2: the chain accepts only the lower half.
  const order = secp256k1.Point.Fn.ORDER;
  const low = s > order / 2n ? order - s : s;
  const rs = [r, low].map((value) => value.toString(16).padStart(64, "0")).join("");
  for (const v of ["1b", "1c"]) {
    const signature: Hex = `0x${rs}${v}`;
    if (isAddressEqual(await recoverAddress({ hash, signature }), address)) return signature;
  }
  throw new KmsFailed("Sign", "a signature of another key");
}
