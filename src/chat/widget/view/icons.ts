// Drawings, each one path.
export const CHAT =
  'M4 5.5A2.5 2.5 0 0 1 6.5 3h11A2.5 2.5 0 0 1 20 5.5v8a2.5 2.5 0 0 1-2.5 2.5H12l-4.6 4.3a.6.6 0 0 1-1-.44V16A2.5 2.5 0 0 1 4 13.5z'
export const DOWN = 'm5 9 7 7 7-7'
export const CROSS = 'm6 6 12 12M18 6 6 18'
export const SEND = 'M5 12h13M12 5l7 7-7 7'
export const CLIP = 'm20 11-8.2 8.2a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.2 8.2a1.7 1.7 0 0 1-2.4-2.4L14.5 7'
export const FILE = 'M7 3h7l5 5v13H7zM14 3v5h5'
