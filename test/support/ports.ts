// Ports that stay a test's own: while its server is away, and when it has closed, no other program is given them.
import { freePort } from '../../src/loopback.ts'

/** Two processes seldom choose the same port in the same moment. */
const TRIES = 10

/**
 * @param listen resolves when the port is taken. @throws what `listen` throws, unless another port helps
 */
export async function onOwnPort<T>(listen: (port: number) => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await listen(await freePort())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === 1) throw error
    return onOwnPort(listen, tries - 1)
  }
}
