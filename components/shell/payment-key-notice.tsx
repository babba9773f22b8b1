"use client";

import dynamic from "next/dynamic";
import { useState } from "react";

/** One day more than the warning period. The exact decision is made by code that is then loaded. */
const SOON_MS = 31 * 86_400_000;

/** Needed in one month of a year, so loaded only then. */
const PaymentKeyEnding = dynamic(() => import("./payment-key-ending").then((module) => module.PaymentKeyEnding));

/**
 * Warns on every page, starting 30 days before the account's payment key expires.
 *
 * @param until Unix seconds, as text
 */
export function PaymentKeyNotice({ until }: { until: string }) {
  const [now] = useState(() => Date.now());
  return Number(until) * 1000 - now < SOON_MS ? <PaymentKeyEnding until={until} now={now} /> : null;
}
