"use client";

import dynamic from "next/dynamic";
import { usePayments } from "./payments-provider";

/** Few people have any, so the code that shows them is loaded only when there are some. */
const LostPayments = dynamic(() => import("./lost-payments").then((module) => module.LostPayments), {
  ssr: false,
});

/** What became of payments that were not finished on this page. */
export function UnfinishedPayments() {
  const { kept } = usePayments();
  return kept.length > 0 ? <LostPayments /> : null;
}
