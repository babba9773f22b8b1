"use client";

import { useSyncExternalStore } from "react";
import { useReader, writtenTime } from "@/components/ui/time";
import { byDay } from "./by-day";
import { TransferTable } from "./transfer-table";
import type { ListedTransfer } from "./wording";

const DAY_MS = 86_400_000;
const noChange = () => () => {};

/** Transfers grouped by day in the reader's time zone, newest first. */
export function TransferDays({ path, transfers }: { path: string; transfers: readonly ListedTransfer[] }) {
  const { zone, locale } = useReader();
  const nameOf = (date: Date) => writtenTime(date, "weekday", zone, locale);
  // Only the browser knows which day it is for the reader.
  const today = useSyncExternalStore(
    noChange,
    () => nameOf(new Date()),
    () => undefined,
  );
  const yesterday = useSyncExternalStore(
    noChange,
    () => nameOf(new Date(Date.now() - DAY_MS)),
    () => undefined,
  );
  const days = byDay(transfers, nameOf).map(({ name, ...day }) => {
    return { ...day, name: name === today ? "Today" : name === yesterday ? "Yesterday" : name };
  });
  return <TransferTable path={path} days={days} />;
}
