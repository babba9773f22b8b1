"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import type { DialogProps } from "./dialog-body";

const DialogBody = dynamic(() => import("./dialog-body").then((module) => module.DialogBody), { ssr: false });

/**
 * A modal dialog; on a phone a sheet from below. Focus moves in, stays in and returns. Its code is loaded when the
 * first one opens.
 */
export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(props.open);
  if (props.open && !used) setUsed(true);
  return used ? <DialogBody {...props} /> : null;
}
