-- Audio and video of a channel have a pace of their own on Messenger and Instagram. How far it is used up stands beside the channel's pace, so that it holds
-- from one slice to the next, whichever process serves it. Not indexed: updates stay on the page (HOT).

alter table channels add column heavy_until timestamptz(3);
