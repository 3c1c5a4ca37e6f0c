// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title A Merkle tree whose nodes carry the sum of their leaves
/// @notice A node is 44 bytes: 32 of hash, 12 of sum. Because a parent hashes both its children's sums, leaves that are
///         shown to be under a root cannot add up to more than the root's sum.
/// @dev A leaf's preimage is 32 bytes (it is hashed twice), a parent's 88 and a root's 44: none is read as another.
library SumTree {
    uint256 private constant NODE = 44;

    /// @notice What is stored of a root: 27 bytes, 108 bits of them against two trees with one commitment.
    function commitment(bytes32 hash, uint96 sum) internal pure returns (bytes27) {
        return bytes27(keccak256(abi.encodePacked(hash, sum)));
    }

    /// @notice The commitment of the root above a leaf; zero for a proof that leads nowhere.
    /// @param proof the sibling nodes from the leaf up, end to end
    function climb(address account, address token, uint96 cumulative, bytes calldata proof)
        internal
        pure
        returns (bytes27)
    {
        if (proof.length % NODE != 0) return 0;
        bytes32 hash;
        uint256 sum = cumulative;
        bytes27 top;
        assembly ("memory-safe") {
            let buffer := mload(0x40)
            mstore(buffer, account)
            mstore(add(buffer, 0x20), token)
            mstore(add(buffer, 0x40), cumulative)
            mstore(0x00, keccak256(buffer, 0x60))
            hash := keccak256(0x00, 0x20)

            let end := add(proof.offset, proof.length)
            for { let from := proof.offset } lt(from, end) { from := add(from, 44) } {
                let sibling := calldataload(from)
                let beside := shr(160, calldataload(add(from, 0x20)))
                // The lower hash goes first. A sum's word ends where its node does, and the hash covers its upper part.
                let place := mul(gt(hash, sibling), 44)
                let own := add(buffer, place)
                let other := sub(add(buffer, 44), place)
                mstore(add(own, 12), sum)
                mstore(own, hash)
                mstore(add(other, 12), beside)
                mstore(other, sibling)
                hash := keccak256(buffer, 88)
                sum := add(sum, beside)
            }
            mstore(add(buffer, 12), sum)
            mstore(buffer, hash)
            top := shl(40, shr(40, keccak256(buffer, 44)))
        }
        // Sums only grow on the way up: if the last one fits a node, each did.
        return sum > type(uint96).max ? bytes27(0) : top;
    }
}
