/** Decompresses the zlib format (RFC 1950); undefined if it is malformed or longer than `bytesMax`. */
export async function inflate(compressed, bytesMax) {
    const chunks = [];
    let length = 0;
    try {
        const reader = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
            length += read.value.length;
            if (length > bytesMax) {
                await reader.cancel();
                return undefined;
            }
            chunks.push(read.value);
        }
    }
    catch {
        return undefined;
    }
    return joined(chunks, length);
}
function joined(chunks, length) {
    const bytes = new Uint8Array(length);
    let offset = 0;
    for (const chunk of chunks) {
        bytes.set(chunk, offset);
        offset += chunk.length;
    }
    return bytes;
}
