import { Halcyon } from "@/sdk/client";
import { newOwner, type Owner, ownerAgain, productURL } from "./owner";

/** An amount and a memo that occur nowhere else, so that any plaintext copy is found. */
export const AMOUNT = "12.340987";
export const MEMO = '=cmd("canary memo, ümlaut")';

export interface Books {
  payer: Owner;
  recipient: Owner;
  /** Id of the payment of AMOUNT with MEMO, made with the payer's key. */
  paid: string;
}

/** Creates a payment of AMOUNT with MEMO between two new accounts, and a withdrawal of 5 USDG. */
export async function newBooks(configDir: string): Promise<Books> {
  const recipient = await newOwner("payee", configDir);
  const payer = await newOwner("books", configDir, { available: "200" });
  const byKey = new Halcyon({ url: productURL, apiKey: payer.apiKey, configDir });
  const sent = await byKey.transfers.create({ to: recipient.handle, amount: AMOUNT, memo: MEMO });
  await payer.client.withdrawals.create({ to: "0x000000000000000000000000000000000000dEaD", amount: "5" });
  if (!("transfer_id" in sent) || !sent.transfer_id) throw new Error("the payment was held");
  return { payer, recipient, paid: sent.transfer_id };
}

/** Returns what another worker created, with clients in this process. */
export const booksAgain = ({ payer, recipient, paid }: Books, configDir: string): Books => ({
  payer: ownerAgain(payer, configDir),
  recipient: ownerAgain(recipient, configDir),
  paid,
});
