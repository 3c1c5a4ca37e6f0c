// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {FactoryCaller} from "../escrow/FactoryCaller.sol";

/// @title Verification of signatures, of keys and of contract wallets
library Signatures {
    /// @dev What an ERC-6492 signature ends with.
    bytes32 private constant ERC6492_SUFFIX = 0x6492649264926492649264926492649264926492649264926492649264926492;
    /// @dev Half the order of secp256k1: of the two values of s that sign the same, the upper one does not count.
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// @notice Whether `signer` signed `digest`: by its own key, or by its ERC-1271 answer.
    /// @dev The key is tried first, also if the signer has code. An account that is delegated under EIP-7702 to code
    ///      without ERC-1271 keeps its key. A contract has no key that a signature could recover to.
    function isSignedBy(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        if (isSignedByKey(signer, digest, signature)) return true;
        return signer.code.length > 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }

    /// @notice As above, except for a plain signature by the key, which {isSignedByKey} checks. A wallet that is not
    ///         deployed yet may sign under ERC-6492: `factoryCaller` deploys it first.
    /// @dev A wallet that already has code is asked directly; the ERC-6492 wrapping is removed in both cases.
    function isSignedByWallet(FactoryCaller factoryCaller, address signer, bytes32 digest, bytes calldata signature)
        internal
        returns (bool)
    {
        uint256 length = signature.length;
        if (length >= 0xe0 && bytes32(signature[length - 0x20:]) == ERC6492_SUFFIX) {
            (address factory, uint256 callAt, uint256 innerAt) = abi.decode(signature, (address, uint256, uint256));
            if (signer.code.length == 0) factoryCaller.call(factory, _bytesAt(signature, callAt));
            signature = _bytesAt(signature, innerAt);
        }
        return isSignedBy(signer, digest, signature);
    }

    /// @notice Whether `signature` is that of the key of `signer`, in its one canonical form.
    /// @dev By the rules of OpenZeppelin's ECDSA.tryRecoverCalldata: malleable (high-s) signatures and a zero recovery
    ///      are refused.
    function isSignedByKey(address signer, bytes32 digest, bytes calldata signature) internal pure returns (bool) {
        if (signature.length != 65) return false;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := calldataload(signature.offset)
            s := calldataload(add(signature.offset, 0x20))
            v := byte(0, calldataload(add(signature.offset, 0x40)))
        }
        if (uint256(s) > HALF_ORDER) return false;
        address recovered = ecrecover(digest, v, r, s);
        return recovered == signer && recovered != address(0);
    }

    /// @dev The `bytes` at an offset of an ABI encoding. Reverts if they are not within it.
    function _bytesAt(bytes calldata encoded, uint256 offset) private pure returns (bytes calldata) {
        encoded = encoded[offset:];
        return encoded[0x20:][:uint256(bytes32(encoded[:0x20]))];
    }
}
