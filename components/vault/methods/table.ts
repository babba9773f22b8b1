import { abandon, budgetLoss } from "./abandon";
import { agentSpending } from "./agent-spending";
import { allocate } from "./allocate";
import { approveHeld } from "./approve-held";
import { checkPayment } from "./check-payment";
import { createAgent } from "./create-agent";
import { createBackup } from "./create-backup";
import { createKey } from "./create-key";
import { deposit, walletBalance } from "./deposit";
import { enroll } from "./enroll";
import { exportTransfers } from "./export-transfers";
import { funds } from "./funds";
import { held } from "./held";
import { makeReceipt } from "./make-receipt";
import { moved } from "./moved";
import { openTransfer } from "./open-transfer";
import { pastPayments } from "./past-payments";
import { recipient } from "./recipient";
import { renewSpender } from "./renew-spender";
import { send } from "./send";
import { setPolicy } from "./set-policy";
import { testBackup } from "./test-backup";
import { unlock } from "./unlock";
import { verifyBalances } from "./verify-balances";
import { withdraw } from "./withdraw";

/** The methods of the vault: one file and one line each. Pages import the type alone. */
export const methods = {
  abandon,
  agentSpending,
  allocate,
  approveHeld,
  budgetLoss,
  checkPayment,
  createAgent,
  createBackup,
  createKey,
  deposit,
  enroll,
  exportTransfers,
  funds,
  held,
  makeReceipt,
  moved,
  openTransfer,
  pastPayments,
  recipient,
  renewSpender,
  send,
  setPolicy,
  testBackup,
  unlock,
  verifyBalances,
  walletBalance,
  withdraw,
};

export type Methods = typeof methods;
