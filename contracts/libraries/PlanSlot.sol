// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice Everything the escrow remembers about a plan's money, in one storage word.
/// @dev Layout, low bits first:
///      [  0,128)  64 step codes of 2 bits: 0 pending, 1 paid, 2 refunded, 3 reserved
///      [128,224)  remaining, uint96
///      [224,232)  status, uint8
///      [232,256)  charter version, uint24
type PlanSlot is uint256;

using PlanSlots for PlanSlot global;

/// @title The codec of {PlanSlot}
/// @notice A *bits* argument names steps, one bit each, bit i for step i. It never holds codes.
library PlanSlots {
    uint256 internal constant CODES_MASK = type(uint128).max;
    /// @dev The low bit of each of the 64 codes.
    uint256 internal constant LOW_BITS = 0x55555555555555555555555555555555;

    uint256 private constant REMAINING_SHIFT = 128;
    uint256 private constant STATUS_SHIFT = 224;
    uint256 private constant VERSION_SHIFT = 232;
    uint256 private constant REMAINING_MASK = uint256(type(uint96).max) << REMAINING_SHIFT;
    uint256 private constant STATUS_MASK = uint256(type(uint8).max) << STATUS_SHIFT;
    uint256 private constant VERSION_MASK = uint256(type(uint24).max) << VERSION_SHIFT;

    function codes(PlanSlot slot) internal pure returns (uint128) {
        return uint128(PlanSlot.unwrap(slot));
    }

    function remaining(PlanSlot slot) internal pure returns (uint96) {
        return uint96(PlanSlot.unwrap(slot) >> REMAINING_SHIFT);
    }

    function status(PlanSlot slot) internal pure returns (uint8) {
        return uint8(PlanSlot.unwrap(slot) >> STATUS_SHIFT);
    }

    function version(PlanSlot slot) internal pure returns (uint24) {
        return uint24(PlanSlot.unwrap(slot) >> VERSION_SHIFT);
    }

    function withRemaining(PlanSlot slot, uint96 value) internal pure returns (PlanSlot) {
        return PlanSlot.wrap((PlanSlot.unwrap(slot) & ~REMAINING_MASK) | (uint256(value) << REMAINING_SHIFT));
    }

    function withStatus(PlanSlot slot, uint8 value) internal pure returns (PlanSlot) {
        return PlanSlot.wrap((PlanSlot.unwrap(slot) & ~STATUS_MASK) | (uint256(value) << STATUS_SHIFT));
    }

    function withVersion(PlanSlot slot, uint24 value) internal pure returns (PlanSlot) {
        return PlanSlot.wrap((PlanSlot.unwrap(slot) & ~VERSION_MASK) | (uint256(value) << VERSION_SHIFT));
    }

    /// @notice The steps whose code is still pending, among all 64 places.
    function pendingBits(PlanSlot slot) internal pure returns (uint64) {
        uint256 word = PlanSlot.unwrap(slot);
        return gather(~(word | (word >> 1)) & LOW_BITS);
    }

    /// @notice The steps whose code is paid.
    function paidBits(PlanSlot slot) internal pure returns (uint64) {
        uint256 word = PlanSlot.unwrap(slot);
        return gather(word & ~(word >> 1) & LOW_BITS);
    }

    /// @notice Marks `bits` paid.
    /// @dev The caller has checked that each of them is pending: a code of 2 would turn into 3.
    function withPaid(PlanSlot slot, uint64 bits) internal pure returns (PlanSlot) {
        return PlanSlot.wrap(PlanSlot.unwrap(slot) | spread(bits));
    }

    /// @notice Marks every place that is still pending as refunded, whether or not a step stands there.
    function withPendingRefunded(PlanSlot slot) internal pure returns (PlanSlot) {
        uint256 word = PlanSlot.unwrap(slot);
        return PlanSlot.wrap(word | ((~(word | (word >> 1)) & LOW_BITS) << 1));
    }

    /// @notice Moves bit i to bit 2i.
    function spread(uint64 bits) internal pure returns (uint256 x) {
        x = bits;
        x = (x | (x << 32)) & 0x00000000FFFFFFFF00000000FFFFFFFF;
        x = (x | (x << 16)) & 0x0000FFFF0000FFFF0000FFFF0000FFFF;
        x = (x | (x << 8)) & 0x00FF00FF00FF00FF00FF00FF00FF00FF;
        x = (x | (x << 4)) & 0x0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F;
        x = (x | (x << 2)) & 0x33333333333333333333333333333333;
        x = (x | (x << 1)) & LOW_BITS;
    }

    /// @notice Moves bit 2i to bit i; odd bits and those from 128 up are dropped.
    function gather(uint256 x) internal pure returns (uint64) {
        x &= LOW_BITS;
        x = (x | (x >> 1)) & 0x33333333333333333333333333333333;
        x = (x | (x >> 2)) & 0x0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F0F;
        x = (x | (x >> 4)) & 0x00FF00FF00FF00FF00FF00FF00FF00FF;
        x = (x | (x >> 8)) & 0x0000FFFF0000FFFF0000FFFF0000FFFF;
        x = (x | (x >> 16)) & 0x00000000FFFFFFFF00000000FFFFFFFF;
        x = (x | (x >> 32)) & 0x0000000000000000FFFFFFFFFFFFFFFF;
        return uint64(x);
    }
}
