/** Unlike `AbortSignal.any`, it leaves nothing behind on a long-lived signal. */
export function startDeadline(ms, outer) {
    const controller = new AbortController();
    const abort = () => controller.abort(outer?.reason);
    let isOver = false;
    const timer = setTimeout(() => {
        isOver = true;
        controller.abort();
    }, ms);
    if (outer?.aborted)
        abort();
    else
        outer?.addEventListener('abort', abort, { once: true });
    return {
        signal: controller.signal,
        get isOver() {
            return isOver;
        },
        end() {
            clearTimeout(timer);
            outer?.removeEventListener('abort', abort);
        },
    };
}
