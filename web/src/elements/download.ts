/** Hands a file to the visitor, without any server. */
export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 10_000);
}
