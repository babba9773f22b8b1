/**
 * Saves a text or bytes as a file through the browser. Nothing is sent anywhere. CSV gets a byte order mark, without which
 * spreadsheets read it in another encoding.
 */
export function saveFile(name: string, type: string, content: string | Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(
    new Blob(type === "text/csv" ? ["\ufeff", content] : [content], {
      type: typeof content === "string" ? `${type};charset=utf-8` : type,
    }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
