// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice The stored state of a channel, in one storage word.
/// @dev Layout, low bits first:
///      [  0,104)  deposit, uint104
///      [104,208)  claimed, uint104
///      [208,248)  when the payer gave notice, uint40; 0 for none
///      [248,256)  status, uint8
type ChannelSlot is uint256;

using ChannelSlots for ChannelSlot global;

/// @title The codec of {ChannelSlot}
library ChannelSlots {
    uint256 private constant CLAIMED_SHIFT = 104;
    uint256 private constant NOTICE_SHIFT = 208;
    uint256 private constant STATUS_SHIFT = 248;
    uint256 private constant AMOUNT_MASK = type(uint104).max;
    uint256 private constant NOTICE_MASK = uint256(type(uint40).max) << NOTICE_SHIFT;

    /// @dev A channel's word is kept at its id: a digest, which no other key of a mapping and no number of a slot meets.
    function load(bytes32 id) internal view returns (ChannelSlot slot) {
        assembly ("memory-safe") {
            slot := sload(id)
        }
    }

    function store(bytes32 id, ChannelSlot slot) internal {
        assembly ("memory-safe") {
            sstore(id, slot)
        }
    }

    /// @dev The caller has checked that the amounts fit.
    function pack(uint256 deposit_, uint256 claimed_, uint256 closeRequestedAt_, uint256 status_)
        internal
        pure
        returns (ChannelSlot)
    {
        return ChannelSlot.wrap(
            deposit_ | (claimed_ << CLAIMED_SHIFT) | (closeRequestedAt_ << NOTICE_SHIFT) | (status_ << STATUS_SHIFT)
        );
    }

    function deposit(ChannelSlot slot) internal pure returns (uint256) {
        return ChannelSlot.unwrap(slot) & AMOUNT_MASK;
    }

    function claimed(ChannelSlot slot) internal pure returns (uint256) {
        return (ChannelSlot.unwrap(slot) >> CLAIMED_SHIFT) & AMOUNT_MASK;
    }

    function closeRequestedAt(ChannelSlot slot) internal pure returns (uint256) {
        return (ChannelSlot.unwrap(slot) & NOTICE_MASK) >> NOTICE_SHIFT;
    }

    function status(ChannelSlot slot) internal pure returns (uint256) {
        return ChannelSlot.unwrap(slot) >> STATUS_SHIFT;
    }

    /// @dev The caller has checked that the amount fits.
    function withDeposit(ChannelSlot slot, uint256 amount) internal pure returns (ChannelSlot) {
        return ChannelSlot.wrap((ChannelSlot.unwrap(slot) & ~AMOUNT_MASK) | amount);
    }

    /// @dev The caller has checked that the amount fits.
    function withClaimed(ChannelSlot slot, uint256 amount) internal pure returns (ChannelSlot) {
        return ChannelSlot.wrap(
            (ChannelSlot.unwrap(slot) & ~(AMOUNT_MASK << CLAIMED_SHIFT)) | (amount << CLAIMED_SHIFT)
        );
    }

    function withCloseRequestedAt(ChannelSlot slot, uint40 time) internal pure returns (ChannelSlot) {
        return ChannelSlot.wrap((ChannelSlot.unwrap(slot) & ~NOTICE_MASK) | (uint256(time) << NOTICE_SHIFT));
    }
}
