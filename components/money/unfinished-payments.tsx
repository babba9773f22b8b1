"use client";

import dynamic from "next/dynamic";
import { usePayments } from "./payments-provider";

/** Few people have any, so the code that shows them is loaded only when there are some. */
const UntoldPayments = dynamic(() => import("./untold-payments").then((module) => module.UntoldPayments), {
  ssr: false,
});

/** What became of payments that were not finished on this page. */
export function UnfinishedPayments() {
  const { kept } = usePayments();
  return kept.length > 0 ? <UntoldPayments /> : null;
}
